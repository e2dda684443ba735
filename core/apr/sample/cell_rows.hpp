#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/apr/sample/reconstruction.hpp"

namespace aprscope {

/// Rows of cells of one level of an APR, without the rest of it: those of the planes [z0, z1).
struct CellRows {
  int level = 0;
  std::int64_t z0 = 0, z1 = 0;
  /// Where row (z0, 0) begins, then where each row ends, counted from any start.
  std::vector<std::uint64_t> ends;
  /// y and value of each cell. Without values a cell shows its level.
  std::vector<std::uint16_t> y;
  std::vector<float> values;

  [[nodiscard]] std::uint64_t count() const { return ends.empty() ? 0 : ends.back() - ends[0]; }
};

/// The image at `level` of an APR of `size` pixels and `level_max`, as reconstruct_at_level() makes
/// it: its cells `region`, from rows of particles up to that level and, below the finest, of the
/// tree at that level, which reach over the region. Errors: rows that are out of order or do not
/// cover the region, not enough memory, cancelled.
Result<Pixels<float>> paint_cells(const Size3& size, int level_max, int level, const Region& region,
                                  std::span<const CellRows> rows, const JobContext& context = {});

}  // namespace aprscope
