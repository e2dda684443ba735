#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace aprscope {

/// Whether a threshold keeps what is not above it, {f ≤ t}, or what is not below it, {f ≥ t}.
enum class LevelSets { superlevel, sublevel };

/// The set of pixels that one threshold keeps of an image.
struct LevelSet {
  double at = 0.0;
  LevelSets sets = LevelSets::superlevel;

  /// Whether a pixel of this value is kept; NaN belongs to no level set.
  [[nodiscard]] bool contains(double value) const {
    return sets == LevelSets::superlevel ? value >= at : value <= at;
  }
  friend bool operator==(const LevelSet&, const LevelSet&) = default;
};

/// How a level set is marked in a picture: shares of `color` mixed into the pixels that belong to
/// it, and into those of them that have a neighbour which does not; and how much darker the others
/// get.
struct LevelSetMarks {
  LevelSet set;
  std::array<std::uint8_t, 3> color{255, 255, 255};
  double inside = 0.0;
  double edge = 0.0;
  double darker = 0.0;
};

/// Marks a level set in `rgba` (4 bytes a pixel), a picture of `values` in rows of `cols`; pixels
/// are neighbours if they share an edge. 0 columns: values have no neighbours.
void mark_level_set(std::span<const float> values, std::int64_t cols, const LevelSetMarks& marks,
                    std::vector<std::uint8_t>& rgba);

}  // namespace aprscope
