#include "core/topology/strata_kernels.hpp"

#include "core/base/system.hpp"

namespace aprscope {

namespace isa_v3 {
extern const StrataKernels kernels_of_strata;
}
namespace isa_v4 {
extern const StrataKernels kernels_of_strata;
}

const StrataKernels& strata_kernels() {
  return use_avx512() ? isa_v4::kernels_of_strata : isa_v3::kernels_of_strata;
}

}  // namespace aprscope
