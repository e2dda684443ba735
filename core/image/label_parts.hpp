#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace aprscope {

/// The parts that labelled objects were merged from: pixel (or particle) i belongs to the
/// part part_of[pieces[i]]. Between two parts of one object lies a wall that merging took
/// away.
struct LabelParts {
  /// Piece of each pixel / particle, in memory order. Weak, since the pieces belong to much larger
  /// data: they exist only as long as the maker keeps those data.
  std::weak_ptr<const std::vector<std::uint32_t>> pieces;
  /// The part of each piece; 0: none.
  std::vector<std::uint32_t> part_of;
};

}  // namespace aprscope
