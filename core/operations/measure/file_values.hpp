#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/io/apr/apr_slabs.hpp"
#include "core/operations/measure/value_sources.hpp"

namespace aprscope {

/// ParticleValues of a file that is read some planes at a time: the same blocks in the same order.
class FileValues {
 public:
  using Value = float;
  /// `at_once`: about so many particles are read at a time, at least one plane of cells.
  FileValues(const AprFileSlabs& file, const Region& region, int first_level, int last_level,
             std::uint64_t at_once, const JobContext& context);

  [[nodiscard]] std::int64_t blocks() const { return static_cast<std::int64_t>(layers_.size()); }
  /// Gives nothing once reading has failed, see status().
  template <class Each>
  void each(std::int64_t block, const Each& f) const {
    const CellLayer& layer = layers_[static_cast<std::size_t>(block)];
    const std::shared_ptr<const CellRows> rows = planes(layer);
    if (!rows) return;
    const Size3 grid = level_grid(file_.size(), file_.level_max(), layer.level);
    const std::uint64_t first = rows->ends.front();
    std::uint64_t count = 0;
    each_row(layer, file_.level_max(), region_, [&](std::int64_t x, auto&& weigh) {
      const auto at = static_cast<std::size_t>((layer.z - rows->z0) * grid.x + x);
      const auto begin = static_cast<std::size_t>(rows->ends[at] - first);
      const auto length = static_cast<std::size_t>(rows->ends[at + 1] - rows->ends[at]);
      weigh(std::span(rows->y).subspan(begin, length),
            std::span(rows->values).subspan(begin, length),
            [&](std::span<const float> values, const std::uint64_t* weights) {
              count += values.size();
              f(values, weights);
            });
    });
    counts_[static_cast<std::size_t>(block)] = count;
  }
  /// Particles that have a part in it, after each() of all blocks.
  [[nodiscard]] std::uint64_t particles() const;
  /// The error of reading, if there was one.
  [[nodiscard]] Status status() const;

 private:
  [[nodiscard]] std::shared_ptr<const CellRows> planes(const CellLayer& layer) const;

  const AprFileSlabs& file_;
  Region region_;
  std::uint64_t at_once_;
  const JobContext& context_;
  std::vector<CellLayer> layers_;
  // What was read last; threads are in neighbouring blocks.
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const CellRows> last_, one_before_;
  mutable Status failed_;
  mutable std::vector<std::uint64_t> counts_;
};

}  // namespace aprscope
