#include "app/cli/bench/bench_rate.hpp"

#include "core/base/system.hpp"

namespace aprscope {
namespace isa_v3 {
std::int64_t rate_kernel(std::int64_t rounds, float* result);
}
namespace isa_v4 {
std::int64_t rate_kernel(std::int64_t rounds, float* result);
}
}  // namespace aprscope

namespace aprscope::cli {

std::int64_t multiply_adds(std::int64_t rounds, float* result) {
  return use_avx512() ? isa_v4::rate_kernel(rounds, result) : isa_v3::rate_kernel(rounds, result);
}

}  // namespace aprscope::cli
