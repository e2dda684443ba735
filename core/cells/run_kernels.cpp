#include "core/cells/run_kernels.hpp"

#include "core/base/system.hpp"

namespace aprscope {

namespace isa_v3 {
extern const RunKernels kernels_of_runs;
}
namespace isa_v4 {
extern const RunKernels kernels_of_runs;
}

const RunKernels& run_kernels() {
  return use_avx512() ? isa_v4::kernels_of_runs : isa_v3::kernels_of_runs;
}

}  // namespace aprscope
