#include "core/projections/insertion_kernels.hpp"

#include "core/base/system.hpp"

namespace aprscope {

namespace isa_v3 {
extern const InsertionKernels kernels_of_insertion;
}
namespace isa_v4 {
extern const InsertionKernels kernels_of_insertion;
}

const InsertionKernels& insertion_kernels() {
  return use_avx512() ? isa_v4::kernels_of_insertion : isa_v3::kernels_of_insertion;
}

}  // namespace aprscope
