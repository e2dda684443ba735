#pragma once

#include <cstddef>
#include <vector>

namespace aprscope {

/// The heights of a wall's pairs of pixels, of which the lowest and the median are asked again and
/// again while walls become one. Never empty, but after it was taken. 4 bytes a height.
class WallHeights {
 public:
  WallHeights() = default;
  /// Of one height at least. Takes time as there are heights.
  explicit WallHeights(std::vector<float> heights);

  [[nodiscard]] float lowest() const { return lowest_; }
  /// The lower one of the two in the middle where the number is even.
  [[nodiscard]] float median() const { return lower_.front(); }
  [[nodiscard]] std::size_t size() const { return lower_.size() + upper_.size(); }

  /// Those of another wall, too, which has none afterwards. The fewer are put among the more, so
  /// that n heights in whatever order of walls take n log² n at most.
  void take(WallHeights&& other);

 private:
  void split(std::vector<float> heights);
  void add(float height);

  // Two heaps: the lower half with its highest in front, one more of them where the number is odd,
  // and the upper half with its lowest in front.
  std::vector<float> lower_;
  std::vector<float> upper_;
  float lowest_ = 0.0F;
};

}  // namespace aprscope
