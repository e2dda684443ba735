#pragma once

#include <memory>
#include <vector>

#include "core/filter/patch.hpp"
#include "core/filter/stencil.hpp"

namespace aprscope::detail {

/// Results of a tile: one row of values for each row of cells.
class TileResult {
 public:
  void prepare(const Tile& tile) {
    columns_ = tile.x1 - tile.x0;
    stride_ = (tile.y1 - tile.y0 + 31) / 16 * 16;
    const auto size = static_cast<std::size_t>((tile.z1 - tile.z0) * columns_ * stride_);
    if (values_.size() < size) values_.assign(size, 0.0F);
  }
  [[nodiscard]] float* row(std::int64_t z, std::int64_t x) {
    return values_.data() + (z * columns_ + x) * stride_;
  }

 private:
  std::int64_t columns_ = 0, stride_ = 0;
  std::vector<float> values_;
};

/// Room that a filter needs while it works on a tile; one a thread.
struct TileScratch {
  std::vector<float> first;
  std::vector<float> second;
  std::vector<const float*> rows;
  std::vector<std::int64_t> offsets;
  TileResult result;
};

/// What is done to a neighbourhood. The value of a cell depends on its patch only, not on which
/// other cells are wanted, so that a preview agrees with the whole bit for bit.
class TileFilter {
 public:
  virtual ~TileFilter() = default;
  /// Cells on each side that a value depends on.
  [[nodiscard]] virtual Size3 radius() const = 0;
  /// Cells a tile should have in z and x: few for small filters (cache), more for wide ones (halo).
  [[nodiscard]] virtual std::int64_t tile_rows() const { return 8; }
  /// Computes the wanted blocks into `out` (and whatever else is convenient of the tile).
  virtual void run(const Patch& patch, const Wanted& wanted, TileScratch& scratch,
                   TileResult& out) const = 0;
};

/// Correlation; as three 1-D passes where the stencil is separable and large enough to gain.
std::unique_ptr<TileFilter> make_correlation(const Stencil& stencil);
/// sqrt(Σ g²) of several correlations.
std::unique_ptr<TileFilter> make_magnitude(const std::vector<Stencil>& components);
std::unique_ptr<TileFilter> make_statistic(LocalStatistic statistic, const Size3& size);

}  // namespace aprscope::detail
