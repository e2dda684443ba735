#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/apr/sample/reconstruction.hpp"

namespace aprscope {

/// Sums over the voxels of large images exceed 64 bits.
__extension__ using Int128 = __int128;

/// Whole numbers from which the size and shape of one object follow, whatever its voxels measure:
/// they add up in any order.
struct LabelSums {
  /// Directions in which a boundary is crossed, one of each pair of opposites: steps (z, x, y) from
  /// a voxel to the 13 of its 26 neighbours that come later.
  static constexpr std::array<std::array<int, 3>, 13> kDirections{{{0, 0, 1},
                                                                   {0, 1, 0},
                                                                   {1, 0, 0},
                                                                   {0, 1, 1},
                                                                   {0, 1, -1},
                                                                   {1, 0, 1},
                                                                   {1, 0, -1},
                                                                   {1, 1, 0},
                                                                   {1, -1, 0},
                                                                   {1, 1, 1},
                                                                   {1, 1, -1},
                                                                   {1, -1, 1},
                                                                   {1, -1, -1}}};

  std::uint32_t label = 0;
  std::int64_t voxels = 0;
  /// The smallest box [begin, end) with all of them.
  Region box{};
  /// Σ z, x, y, and Σ zz, xx, yy, zx, zy, xy of their positions in pixels.
  std::array<std::int64_t, 3> first{};
  std::array<Int128, 6> second{};
  /// Strata of the closed voxels by the axes along which they extend, see StrataCounts.
  std::array<std::int64_t, 8> strata{};
  /// Pairs of a voxel of it and one that is not (or lies outside of the image), by the direction
  /// from one to the other; the first three are its faces across y, x and z.
  std::array<std::int64_t, 13> crossings{};

  /// Adds what a full box [begin, end) of voxels has but its strata and crossings: a run of a row,
  /// or the clipped cell of a particle.
  void add_box(const Region& voxels_of);
  /// Adds another part of the same object.
  void add(const LabelSums& other);
  friend bool operator==(const LabelSums& a, const LabelSums& b);
};

/// Number of faces between the voxels of two objects, across y, x and z; a < b.
struct LabelContact {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::array<std::int64_t, 3> faces{};
  friend bool operator==(const LabelContact&, const LabelContact&) = default;
};

/// Sums over the grey values of one object: whole ones of integers, in f64 of real numbers.
struct IntensitySums {
  /// Minimum above maximum: there are no voxels.
  float minimum = std::numeric_limits<float>::infinity();
  float maximum = -std::numeric_limits<float>::infinity();
  /// Voxels that share a face with one of another object or of the background.
  std::int64_t wall_voxels = 0;
  std::int64_t sum = 0;
  std::int64_t wall_sum = 0;
  Int128 squares = 0;
  double real_sum = 0.0;
  double real_wall_sum = 0.0;
  double real_squares = 0.0;

  /// Adds the next part of the same object.
  void add(const IntensitySums& next);
  friend bool operator==(const IntensitySums& a, const IntensitySums& b);
};

/// All objects of an image, in ascending order of labels.
struct LabelRecords {
  std::vector<LabelSums> sums;
  /// In ascending order of (a, b).
  std::vector<LabelContact> contacts;
  /// For each channel, in the order of `sums`.
  std::vector<std::vector<IntensitySums>> intensities;

  [[nodiscard]] std::uint64_t bytes() const;
  /// Null for a label without voxels.
  [[nodiscard]] const LabelSums* of(std::uint32_t label) const;
  friend bool operator==(const LabelRecords&, const LabelRecords&) = default;
};

}  // namespace aprscope
