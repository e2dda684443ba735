#include "core/image/label_plane.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"

namespace aprscope {
namespace {

// Neighbouring labels get colours far apart; the same that hashed_colour() gives them.
std::uint64_t hashed(std::uint32_t label) { return (label * 0x9E3779B97F4A7C15ULL) >> 40U; }

class LabelMarker {
 public:
  LabelMarker(const LabelPlane& plane, const LabelMarks& marks) : plane_(plane), marks_(marks) {}

  void mark(std::int64_t i, std::uint8_t* rgba) const {
    const std::uint32_t label = at(i);
    if (label == 0) return;
    const bool chosen = std::binary_search(marks_.selected.begin(), marks_.selected.end(), label);
    const bool edge = at_edge(i, label) || is_dot(i, label);
    if (chosen) {
      mix(rgba, marks_.selected_color, edge ? 1.0 : 0.0);
    } else {
      mix(rgba, marks_.colours->colour(label), edge ? marks_.edge : marks_.inside);
    }
  }

 private:
  [[nodiscard]] std::uint32_t at(std::int64_t i) const {
    return plane_.values[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] bool at_edge(std::int64_t i, std::uint32_t label) const {
    const std::int64_t col = i % plane_.cols;
    const auto count = static_cast<std::int64_t>(plane_.values.size());
    return (col > 0 && at(i - 1) != label) || (col + 1 < plane_.cols && at(i + 1) != label) ||
           (i >= plane_.cols && at(i - plane_.cols) != label) ||
           (i + plane_.cols < count && at(i + plane_.cols) != label);
  }
  // Whether pixel i is a dot of the dotted wall between two parts, on one side of it. With smaller
  // numbers walls along some directions would be solid, and others without dots.
  [[nodiscard]] bool is_dot(std::int64_t i, std::uint32_t label) const {
    if (plane_.parts.size() != plane_.values.size()) return false;
    const std::int64_t col = i % plane_.cols;
    if ((i / plane_.cols * 14 + col * 6) % 29 >= 12) return false;
    const std::uint32_t part = plane_.parts[static_cast<std::size_t>(i)];
    const auto begins = [&](std::int64_t next) {
      return at(next) == label && plane_.parts[static_cast<std::size_t>(next)] != part;
    };
    const auto count = static_cast<std::int64_t>(plane_.values.size());
    return (col + 1 < plane_.cols && begins(i + 1)) ||
           (i + plane_.cols < count && begins(i + plane_.cols));
  }
  static void mix(std::uint8_t* rgba, const std::array<std::uint8_t, 3>& with, double share) {
    if (share <= 0.0) return;
    for (std::size_t c = 0; c < 3; ++c) {
      rgba[c] = static_cast<std::uint8_t>(
          std::lround((1.0 - share) * rgba[c] + share * static_cast<double>(with[c])));
    }
  }

  const LabelPlane& plane_;
  const LabelMarks& marks_;
};

}  // namespace

LabelPlane slice_labels(std::span<const std::uint32_t> labels, const Size3& size, Axis axis,
                        std::int64_t index) {
  LabelPlane plane;
  if (static_cast<std::int64_t>(labels.size()) != size.count() || size.count() == 0) {
    return plane;
  }
  plane_shape(size, axis, plane.rows, plane.cols);
  index = std::clamp<std::int64_t>(index, 0, plane_count(size, axis) - 1);
  plane.values.resize(static_cast<std::size_t>(plane.rows * plane.cols));
  const std::int64_t start = axis == Axis::z   ? index * size.x * size.y
                             : axis == Axis::x ? index * size.y
                                               : index;
  const std::int64_t row_step = axis == Axis::z ? size.y : size.x * size.y;
  const std::int64_t col_step = axis == Axis::y ? size.y : 1;
  for (std::int64_t r = 0; r < plane.rows; ++r) {
    for (std::int64_t c = 0; c < plane.cols; ++c) {
      plane.values[static_cast<std::size_t>(r * plane.cols + c)] =
          labels[static_cast<std::size_t>(start + r * row_step + c * col_step)];
    }
  }
  return plane;
}

void add_parts(const LabelPlane& pieces, const LabelParts& parts, LabelPlane& plane) {
  if (pieces.values.size() != plane.values.size()) return;
  plane.parts.resize(pieces.values.size());
  for (std::size_t i = 0; i < pieces.values.size(); ++i) {
    const std::uint32_t piece = pieces.values[i];
    plane.parts[i] = piece < parts.part_of.size() ? parts.part_of[piece] : 0;
  }
}

const std::array<std::uint8_t, 3>& LabelColours::colour(std::uint32_t label) const {
  const std::size_t others = palette.size() - 1;
  return label < of_label.size() ? palette[of_label[label] % palette.size()]
                                 : palette[1 + hashed(label) % others];
}

void mark_labels(const LabelPlane& plane, const LabelMarks& marks,
                 std::vector<std::uint8_t>& rgba) {
  if (!marks.colours || marks.colours->palette.size() < 2) return;
  const auto count = static_cast<std::int64_t>(plane.values.size());
  if (rgba.size() != plane.values.size() * 4) return;
  const LabelMarker marker(plane, marks);
  parallel_for(count, count > 65536 ? thread_count() : 1,
               [&](std::int64_t i) { marker.mark(i, rgba.data() + 4 * i); });
}

}  // namespace aprscope
