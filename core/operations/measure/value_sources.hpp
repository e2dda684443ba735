#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/apr/sample/reconstruction.hpp"
#include "core/apr/structure/linear_access.hpp"
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

/// The particles of some levels in a region, each counted as often as its cell has pixels there: a
/// block is a layer of cells of one level.
class ParticleValues {
 public:
  using Value = float;
  ParticleValues(const LinearAccess& cells, std::span<const float> values, const Region& region,
                 int first_level, int last_level)
      : cells_(cells), values_(values), region_(region) {
    for (int level = first_level; level <= last_level; ++level) {
      const std::int64_t side = side_of(level);
      if (cells.level(level).empty()) continue;
      for (std::int64_t z = region.begin.z / side; z * side < region.end.z; ++z) {
        layers_.push_back({level, z});
      }
    }
  }
  [[nodiscard]] std::int64_t blocks() const { return static_cast<std::int64_t>(layers_.size()); }
  template <class Each>
  void each(std::int64_t block, const Each& f) const {
    const Layer layer = layers_[static_cast<std::size_t>(block)];
    const std::int64_t side = side_of(layer.level);
    const auto inside = [side](std::int64_t cell, std::int64_t begin, std::int64_t end) {
      return std::min((cell + 1) * side, end) - std::max(cell * side, begin);
    };
    const auto y = cells_.y();
    std::vector<std::uint64_t> weights;
    const std::int64_t deep = inside(layer.z, region_.begin.z, region_.end.z);
    for (std::int64_t x = region_.begin.x / side; x * side < region_.end.x; ++x) {
      const ParticleRange row = cells_.row(layer.level, layer.z, x);
      // The part of the row that lies in the region.
      const auto first = std::partition_point(
          y.begin() + static_cast<std::ptrdiff_t>(row.begin),
          y.begin() + static_cast<std::ptrdiff_t>(row.end),
          [&](std::uint16_t at) { return (at + std::int64_t{1}) * side <= region_.begin.y; });
      const auto last =
          std::partition_point(first, y.begin() + static_cast<std::ptrdiff_t>(row.end),
                               [&](std::uint16_t at) { return at * side < region_.end.y; });
      if (first == last) continue;
      const std::int64_t area = deep * inside(x, region_.begin.x, region_.end.x);
      weights.clear();
      for (auto at = first; at != last; ++at) {
        weights.push_back(
            static_cast<std::uint64_t>(area * inside(*at, region_.begin.y, region_.end.y)));
      }
      f(values_.subspan(static_cast<std::size_t>(first - y.begin()), weights.size()),
        weights.data());
    }
  }
  /// Particles that have a part in it.
  [[nodiscard]] std::uint64_t particles() const {
    std::uint64_t count = 0;
    for (std::int64_t i = 0; i < blocks(); ++i) {
      each(i, [&](std::span<const float> values, const std::uint64_t*) { count += values.size(); });
    }
    return count;
  }

 private:
  struct Layer {
    int level = 0;
    std::int64_t z = 0;
  };
  [[nodiscard]] std::int64_t side_of(int level) const {
    return std::int64_t{1} << (cells_.level_max() - level);
  }

  const LinearAccess& cells_;
  std::span<const float> values_;
  Region region_;
  std::vector<Layer> layers_;
};

}  // namespace aprscope
