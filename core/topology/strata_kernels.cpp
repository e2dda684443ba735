#include "core/topology/strata_kernels.hpp"

#include "core/base/system.hpp"

namespace aprscope {

namespace isa_v3 {
extern const StrataKernels<std::uint8_t> strata_kernels_8;
extern const StrataKernels<std::uint16_t> strata_kernels_16;
extern const StrataKernels<std::uint32_t> strata_kernels_32;
}  // namespace isa_v3
namespace isa_v4 {
extern const StrataKernels<std::uint8_t> strata_kernels_8;
extern const StrataKernels<std::uint16_t> strata_kernels_16;
extern const StrataKernels<std::uint32_t> strata_kernels_32;
}  // namespace isa_v4

template <>
const StrataKernels<std::uint8_t>& strata_kernels() {
  return use_avx512() ? isa_v4::strata_kernels_8 : isa_v3::strata_kernels_8;
}
template <>
const StrataKernels<std::uint16_t>& strata_kernels() {
  return use_avx512() ? isa_v4::strata_kernels_16 : isa_v3::strata_kernels_16;
}
template <>
const StrataKernels<std::uint32_t>& strata_kernels() {
  return use_avx512() ? isa_v4::strata_kernels_32 : isa_v3::strata_kernels_32;
}

}  // namespace aprscope
