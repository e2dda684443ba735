#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace aprscope {

/// Tiles one after the other, from `begin` to before `end`.
struct TileRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  [[nodiscard]] std::int64_t size() const { return end - begin; }
};

/// Where the sums of a reconstruction lie: the half x ≥ 0 of the ball |v| ≤ reach of padded
/// frequencies, cut into cubes of side³ voxels, of which only those that touch the ball exist. A
/// tile is three planes of side³ floats, one after the other: Re G, Im G, W; a plane is z, y, x
/// with x fastest. Sums of voxels outside the ball are undefined. The frequency 0 is the corner of
/// a tile. Tiles are in order of z, y, x.
class FrequencyTiles {
 public:
  static constexpr std::int64_t kChannels = 3;

  FrequencyTiles() = default;
  /// Makes the tiles; `side` is 8 or 16.
  FrequencyTiles(std::int64_t reach, std::int64_t side);
  /// The tile's side that is fast for a padded side: 8 up to 160, else 16.
  static std::int64_t good_side(std::int64_t padded) { return padded <= 160 ? 8 : 16; }

  [[nodiscard]] std::int64_t reach() const { return reach_; }
  [[nodiscard]] std::int64_t side() const { return side_; }
  /// Number of voxels of a tile.
  [[nodiscard]] std::int64_t voxels() const { return side_ * side_ * side_; }
  /// Number of floats of a tile.
  [[nodiscard]] std::int64_t stride() const { return kChannels * voxels(); }
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(origins_.size()); }
  /// Number of floats of all tiles.
  [[nodiscard]] std::int64_t floats() const { return count() * stride(); }

  /// The least frequency (x, y, z) of each tile.
  [[nodiscard]] std::span<const std::array<std::int32_t, 3>> origins() const { return origins_; }

  /// Where Re G of a frequency lies; x in 0 … reach, |(x, y, z)| ≤ reach. Im G is voxels() further
  /// on, W twice that.
  [[nodiscard]] std::int64_t at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const std::int64_t ty = y + half_ * side_;
    const std::int64_t tz = z + half_ * side_;
    const std::int64_t tile = grid_[static_cast<std::size_t>(
        ((tz >> shift_) * 2 * half_ + (ty >> shift_)) * half_ + (x >> shift_))];
    const std::int64_t in = side_ - 1;
    return tile * stride() + ((((tz & in) << shift_) + (ty & in)) << shift_) + (x & in);
  }

 private:
  std::int64_t reach_ = 0;
  std::int64_t side_ = 8;
  int shift_ = 3;                   // side is 2^shift
  std::int64_t half_ = 0;           // tiles from 0 to the end of an axis
  std::vector<std::int32_t> grid_;  // number of the tile there, or −1
  std::vector<std::array<std::int32_t, 3>> origins_;
};

}  // namespace aprscope
