// Compiled once for each instruction set; only own static code in here (see aprscope_kernels()).
#include <cstdint>

namespace aprscope::APRSCOPE_ISA_NAMESPACE {
namespace {

#ifdef __AVX512F__
constexpr int kLanes = 16;
#else
constexpr int kLanes = 8;
#endif
constexpr int kSums = 12;
typedef float Vector __attribute__((vector_size(kLanes * sizeof(float))));

}  // namespace

std::int64_t rate_kernel(std::int64_t rounds, float* result) {
  // Different start values, as compilers would merge equal sums into one.
  Vector sum[kSums];
  for (int k = 0; k < kSums; ++k) sum[k] = Vector{} + static_cast<float>(k) * *result;
  Vector a = Vector{} + 1.0F + *result;
  Vector b = Vector{} + 1e-9F * *result;
  for (std::int64_t i = 0; i < rounds; ++i) {
    for (auto& s : sum) s = s * a + b;
  }
  Vector all = {};
  for (const auto& s : sum) all += s;
  for (int k = 0; k < kLanes; ++k) *result += all[k];
  return rounds * kSums * kLanes;
}

}  // namespace aprscope::APRSCOPE_ISA_NAMESPACE
