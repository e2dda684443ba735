#include "core/cells/connected_components.hpp"

#include <vector>

#include "core/cells/component_runs.hpp"
#include "core/image/parallel_rows.hpp"

namespace aprscope {

Result<Labels> connected_components(const Pixels<std::uint8_t>& mask, Connectivity connectivity,
                                    const JobContext& context) {
  const auto runs = ComponentRuns::of(mask.values, mask.size, MaskSide::set, connectivity,
                                      context.part(0.0, 0.6));
  if (!runs) return runs.error();
  Labels labels;
  labels.largest = runs->count();
  make_zeros(labels.values, mask.size.count());
  const int threads = thread_count();
  std::vector<ComponentRuns::PaintedBand> painted(static_cast<std::size_t>(threads));
  const bool done = parallel_rows(mask.size, threads, context.part(0.6, 1.0), "labels",
                                  [&](std::int64_t z, std::int64_t x, int thread) {
                                    runs->paint(z, x, labels.values.data() + mask.index(z, x, 0),
                                                painted[static_cast<std::size_t>(thread)]);
                                  });
  if (!done) return cancelled_error();
  return labels;
}

std::uint64_t component_label_bytes(const Size3& size) {
  const auto pixels = static_cast<std::uint64_t>(size.count());
  // Labels, bits with their counts, and runs of the worst mask with what numbers them.
  return pixels * sizeof(std::uint32_t) + pixels / 2 + pixels * (sizeof(std::uint32_t) * 3) / 2;
}

}  // namespace aprscope
