#include "core/topology/value_range.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

#include <immintrin.h>

#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

template <class T>
ValueRange<T> range_of(std::span<const T> values) {
  ValueRange<T> out{values[0], values[0]};
  for (const T v : values) {
    out.least = std::min(out.least, v);
    out.most = std::max(out.most, v);
  }
  return out;
}

// By intrinsics, as compilers do not vectorise comparisons of floats, whose order they keep.
ValueRange<float> range_of(std::span<const float> values) {
  constexpr std::size_t kLanes = 8;
  const std::size_t count = values.size() / kLanes * kLanes;
  __m256 least = _mm256_set1_ps(values[0]);
  __m256 most = least;
  __m256 broken = _mm256_setzero_ps();
  for (std::size_t i = 0; i < count; i += kLanes) {
    const __m256 v = _mm256_loadu_ps(values.data() + i);
    least = _mm256_min_ps(v, least);
    most = _mm256_max_ps(v, most);
    broken = _mm256_or_ps(broken, _mm256_cmp_ps(v, _mm256_floor_ps(v), _CMP_NEQ_UQ));
  }
  float lanes[2][kLanes];
  _mm256_storeu_ps(lanes[0], least);
  _mm256_storeu_ps(lanes[1], most);
  ValueRange<float> out{*std::ranges::min_element(lanes[0]), *std::ranges::max_element(lanes[1]),
                        _mm256_movemask_ps(broken) == 0};
  for (const float v : values.subspan(count)) {
    out.least = std::min(out.least, v);
    out.most = std::max(out.most, v);
    out.whole = out.whole && v == _mm_cvtss_f32(_mm_floor_ps(_mm_set1_ps(v)));
  }
  return out;
}

}  // namespace

template <class T>
ValueRange<T> value_range(std::span<const T> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  const int threads = threads_for(count);
  std::vector<ValueRange<T>> parts(static_cast<std::size_t>(threads), {values[0], values[0]});
  parallel_stretches(count, threads, [&](std::int64_t begin, std::int64_t end, int thread) {
    parts[static_cast<std::size_t>(thread)] = range_of(
        values.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
  });
  ValueRange<T> out = parts.front();
  for (const ValueRange<T>& part : parts) {
    out.least = std::min(out.least, part.least);
    out.most = std::max(out.most, part.most);
    out.whole = out.whole && part.whole;
  }
  // Turns −0 into 0, as either zero may have been met first.
  if constexpr (std::is_floating_point_v<T>) {
    out.least += T{0};
    out.most += T{0};
  }
  return out;
}

template ValueRange<std::uint8_t> value_range(std::span<const std::uint8_t>);
template ValueRange<std::uint16_t> value_range(std::span<const std::uint16_t>);
template ValueRange<float> value_range(std::span<const float>);

}  // namespace aprscope
