#pragma once

#include <cstdint>
#include <vector>

#include "core/io/apr/apr_slabs.hpp"
#include "core/operations/measure/value_sources.hpp"

namespace aprscope {

/// ParticleValues of a file that is read some planes at a time: the same blocks in the same order.
class FileValues {
 public:
  using Value = float;
  /// About `memory` bytes of planes are kept, at least one plane of cells.
  FileValues(const AprFileSlabs& file, const Region& region, int first_level, int last_level,
             std::uint64_t memory, const JobContext& context);

  [[nodiscard]] std::int64_t blocks() const { return static_cast<std::int64_t>(layers_.size()); }
  /// Reads blocks from this one on and returns where they end; this one itself after an error.
  std::int64_t bring(std::int64_t first);
  template <class Each>
  void each(std::int64_t block, const Each& f) const {
    const CellPlane& layer = layers_[static_cast<std::size_t>(block)];
    const std::int64_t wide = level_grid(file_.size(), file_.level_max(), layer.level).x;
    const std::uint64_t first = rows_.ends.front();
    each_row(layer, file_.level_max(), region_, [&](std::int64_t x, auto&& weigh) {
      const auto at = static_cast<std::size_t>((layer.z - rows_.z0) * wide + x);
      const auto begin = static_cast<std::size_t>(rows_.ends[at] - first);
      const auto length = static_cast<std::size_t>(rows_.ends[at + 1] - rows_.ends[at]);
      weigh(std::span(rows_.y).subspan(begin, length),
            std::span(rows_.values).subspan(begin, length), f);
    });
  }
  /// Particles that have a part in what bring() brought since it began with the first block.
  [[nodiscard]] std::uint64_t particles() const { return particles_; }
  /// The error of reading, if there was one; a change of the file first, which may be its cause.
  [[nodiscard]] Status status() const;

 private:
  const AprFileSlabs& file_;
  Region region_;
  std::uint64_t memory_;
  const JobContext& context_;
  std::vector<CellPlane> layers_;
  CellRows rows_;
  std::uint64_t particles_ = 0;
  Status failed_;
};

}  // namespace aprscope
