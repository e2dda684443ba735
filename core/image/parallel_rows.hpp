#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/base/parallel.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// Calls work(z, x, thread) for all rows of a grid, a few rows an item; see parallel_items().
template <class Work>
bool parallel_rows(const Size3& size, int threads, const JobContext& context,
                   std::string_view stage, const Work& work) {
  constexpr std::int64_t kRows = 64;
  const std::int64_t rows = size.z * size.x;
  return parallel_items((rows + kRows - 1) / kRows, threads, context, stage,
                        [&](std::int64_t item, int thread) {
                          const std::int64_t end = std::min(rows, (item + 1) * kRows);
                          for (std::int64_t r = item * kRows; r < end; ++r) {
                            work(r / size.x, r % size.x, thread);
                          }
                        });
}

}  // namespace aprscope
