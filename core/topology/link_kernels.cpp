#include "core/topology/link_kernels.hpp"

#include "core/base/system.hpp"

namespace aprscope {

namespace isa_v3 {
extern const LinkKernels kernels_of_links;
}
namespace isa_v4 {
extern const LinkKernels kernels_of_links;
}

const LinkKernels& link_kernels() {
  return use_avx512() ? isa_v4::kernels_of_links : isa_v3::kernels_of_links;
}

}  // namespace aprscope
