#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace aprscope {

/// What the objects of labels were made of before some of them became one: the part that a pixel
/// (or particle) belongs to is part_of[pieces[i]]. Between two parts of one object is a wall that
/// was taken away.
struct LabelParts {
  /// In memory order of the pixels / of the particles. They hang on much more, and are there only
  /// as long as whoever made them keeps that.
  std::weak_ptr<const std::vector<std::uint32_t>> pieces;
  /// By piece; 0: none.
  std::vector<std::uint32_t> part_of;
};

}  // namespace aprscope
