#include "core/apr/conversion_kernels.hpp"

#include "core/base/system.hpp"

namespace aprscope {

namespace isa_v3 {
extern const ConversionKernels kernels_of_conversion;
}
namespace isa_v4 {
extern const ConversionKernels kernels_of_conversion;
}

const ConversionKernels& conversion_kernels() {
  return use_avx512() ? isa_v4::kernels_of_conversion : isa_v3::kernels_of_conversion;
}

}  // namespace aprscope
