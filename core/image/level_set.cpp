#include "core/image/level_set.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"

namespace aprscope {
namespace {

class Marker {
 public:
  Marker(std::span<const float> values, std::int64_t cols, const LevelSetMarks& marks)
      : values_(values),
        count_(static_cast<std::int64_t>(values.size())),
        cols_(cols),
        marks_(marks) {}

  void mark(std::int64_t i, std::uint8_t* rgba) const {
    if (!contains(i)) {
      mix(rgba, {0, 0, 0}, std::isnan(value(i)) ? 0.0 : marks_.darker);
    } else {
      mix(rgba, marks_.color, at_edge(i) ? marks_.edge : marks_.inside);
    }
  }

 private:
  [[nodiscard]] float value(std::int64_t i) const { return values_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] bool contains(std::int64_t i) const {
    return marks_.set.contains(static_cast<double>(value(i)));
  }
  // The border of the picture is none.
  [[nodiscard]] bool at_edge(std::int64_t i) const {
    if (cols_ <= 0) return false;
    const std::int64_t col = i % cols_;
    return (col > 0 && !contains(i - 1)) || (col + 1 < cols_ && !contains(i + 1)) ||
           (i >= cols_ && !contains(i - cols_)) || (i + cols_ < count_ && !contains(i + cols_));
  }
  static void mix(std::uint8_t* rgba, const std::array<std::uint8_t, 3>& with, double share) {
    if (share <= 0.0) return;
    for (std::size_t c = 0; c < 3; ++c) {
      rgba[c] = static_cast<std::uint8_t>(
          std::lround((1.0 - share) * rgba[c] + share * static_cast<double>(with[c])));
    }
  }

  std::span<const float> values_;
  std::int64_t count_;
  std::int64_t cols_;
  LevelSetMarks marks_;
};

}  // namespace

void mark_level_set(std::span<const float> values, std::int64_t cols, const LevelSetMarks& marks,
                    std::vector<std::uint8_t>& rgba) {
  const Marker marker(values, cols, marks);
  const auto count = static_cast<std::int64_t>(values.size());
  parallel_for(count, count > 65536 ? thread_count() : 1,
               [&](std::int64_t i) { marker.mark(i, rgba.data() + 4 * i); });
}

}  // namespace aprscope
