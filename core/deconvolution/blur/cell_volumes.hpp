#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/apr/structure/access.hpp"

namespace aprscope {

/// Values up to `end` (from the end of the run before) that stand for `weight` pixels each.
struct WeightRun {
  std::uint64_t end = 0;
  double weight = 1.0;
  friend bool operator==(const WeightRun&, const WeightRun&) = default;
};

/// How many pixels of the image each particle's cell covers (less than its volume where a cell
/// reaches over the end of the image), as runs in particle order. Σ value · weight is the flux.
std::vector<WeightRun> cell_volumes(const AprAccess& access);

/// The same of particles that are not all in memory: their rows are added in order.
class CellVolumes {
 public:
  CellVolumes(const Size3& size, int level_max) : size_(size), level_max_(level_max) {}

  /// Whether no cell of a level reaches over the end of the image, so that its rows do not matter.
  [[nodiscard]] bool all_inside(int level) const;
  /// Adds all cells of such a level.
  void add_level(int level, std::uint64_t count);
  /// Adds the cells of a row.
  void add_row(int level, std::int64_t z, std::int64_t x, std::span<const std::uint16_t> y);

  [[nodiscard]] std::vector<WeightRun> take() { return std::move(runs_); }

 private:
  void append(std::uint64_t count, double weight);

  Size3 size_;
  int level_max_;
  std::vector<WeightRun> runs_;
};

}  // namespace aprscope
