#include "core/apr/structure/tree_kernels.hpp"

#include "core/base/system.hpp"

namespace aprscope {

namespace isa_v3 {
extern const TreeKernels kernels_of_trees;
}
namespace isa_v4 {
extern const TreeKernels kernels_of_trees;
}

const TreeKernels& tree_kernels() {
  return use_avx512() ? isa_v4::kernels_of_trees : isa_v3::kernels_of_trees;
}

}  // namespace aprscope
