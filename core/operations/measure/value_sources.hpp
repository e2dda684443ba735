#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/apr/sample/reconstruction.hpp"
#include "core/apr/structure/linear_access.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"

// Images and particles as sources of summarize().
namespace aprscope {

/// The pixels of a region: a block is a slice of it.
template <class T>
class PixelValues {
 public:
  using Value = T;
  PixelValues(const Pixels<T>& pixels, const Region& region) : pixels_(pixels), region_(region) {}
  [[nodiscard]] std::int64_t blocks() const { return region_.size().z; }
  template <class Each>
  void each(std::int64_t block, const Each& f) const {
    const std::int64_t z = region_.begin.z + block;
    for (std::int64_t x = region_.begin.x; x < region_.end.x; ++x) {
      const T* row = &pixels_.at(z, x, region_.begin.y);
      f(std::span<const T>(row, static_cast<std::size_t>(region_.size().y)), nullptr);
    }
  }

 private:
  const Pixels<T>& pixels_;
  Region region_;
};

/// A layer of cells of one level.
struct CellPlane {
  int level = 0;
  std::int64_t z = 0;
};

/// The layers of some levels that a region of pixels touches, without levels that are empty.
template <class IsEmpty>
std::vector<CellPlane> cell_layers(const Region& region, int level_max, int first_level,
                                   int last_level, const IsEmpty& is_empty) {
  std::vector<CellPlane> layers;
  for (int level = first_level; level <= last_level; ++level) {
    const std::int64_t side = std::int64_t{1} << (level_max - level);
    if (is_empty(level)) continue;
    for (std::int64_t z = region.begin.z / side; z * side < region.end.z; ++z) {
      layers.push_back({level, z});
    }
  }
  return layers;
}

/// Calls row(x, weigh) for each row of a layer that a region touches. weigh(y, values, f) calls
/// f(values, weights) for the particles of the row that have a part in the region, each weighed by
/// the pixels that its cell has there, if there are any.
template <class Row>
void each_row(const CellPlane& layer, int level_max, const Region& region, const Row& row) {
  const std::int64_t side = std::int64_t{1} << (level_max - layer.level);
  const auto inside = [side](std::int64_t cell, std::int64_t begin, std::int64_t end) {
    return std::min((cell + 1) * side, end) - std::max(cell * side, begin);
  };
  const std::int64_t deep = inside(layer.z, region.begin.z, region.end.z);
  std::vector<std::uint64_t> weights;
  for (std::int64_t x = region.begin.x / side; x * side < region.end.x; ++x) {
    const std::int64_t area = deep * inside(x, region.begin.x, region.end.x);
    row(x, [&](std::span<const std::uint16_t> y, std::span<const float> values, const auto& f) {
      const auto first = std::partition_point(y.begin(), y.end(), [&](std::uint16_t at) {
        return (at + std::int64_t{1}) * side <= region.begin.y;
      });
      const auto last = std::partition_point(
          first, y.end(), [&](std::uint16_t at) { return at * side < region.end.y; });
      if (first == last) return;
      weights.clear();
      for (auto at = first; at != last; ++at) {
        weights.push_back(
            static_cast<std::uint64_t>(area * inside(*at, region.begin.y, region.end.y)));
      }
      f(values.subspan(static_cast<std::size_t>(first - y.begin()), weights.size()),
        weights.data());
    });
  }
}

/// The particles of some levels in a region, each counted as often as its cell has pixels there: a
/// block is a layer of cells of one level.
class ParticleValues {
 public:
  using Value = float;
  ParticleValues(const LinearAccess& cells, std::span<const float> values, const Region& region,
                 int first_level, int last_level)
      : cells_(cells), values_(values), region_(region) {
    layers_ = cell_layers(region, cells.level_max(), first_level, last_level,
                          [&](int level) { return cells.level(level).empty(); });
  }
  [[nodiscard]] std::int64_t blocks() const { return static_cast<std::int64_t>(layers_.size()); }
  template <class Each>
  void each(std::int64_t block, const Each& f) const {
    const CellPlane& layer = layers_[static_cast<std::size_t>(block)];
    each_row(layer, cells_.level_max(), region_, [&](std::int64_t x, auto&& weigh) {
      const ParticleRange row = cells_.row(layer.level, layer.z, x);
      const auto begin = static_cast<std::size_t>(row.begin);
      const auto length = static_cast<std::size_t>(row.count());
      weigh(std::span(cells_.y()).subspan(begin, length), values_.subspan(begin, length), f);
    });
  }
  /// Particles that have a part in it.
  [[nodiscard]] std::uint64_t particles() const {
    std::uint64_t count = 0;
    for (std::int64_t i = 0; i < blocks(); ++i) {
      each(i, [&](std::span<const float> values, const std::uint64_t*) { count += values.size(); });
    }
    return count;
  }
  /// Nothing can fail.
  [[nodiscard]] static Status status() { return {}; }

 private:
  const LinearAccess& cells_;
  std::span<const float> values_;
  Region region_;
  std::vector<CellPlane> layers_;
};

}  // namespace aprscope
