#include "core/filter/kernels.hpp"

#include "core/base/system.hpp"

namespace aprscope {

namespace isa_v3 {
extern const FilterKernels kernels;
}
namespace isa_v4 {
extern const FilterKernels kernels;
}

const FilterKernels& filter_kernels() { return use_avx512() ? isa_v4::kernels : isa_v3::kernels; }

}  // namespace aprscope
