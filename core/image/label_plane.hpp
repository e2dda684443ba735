#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/image/labels.hpp"

namespace aprscope {

/// Labels of one slice; rows and columns as those of a Plane.
struct LabelPlane {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::uint32_t> values;
};

/// Slice `index` (clamped to the image) of an image of `size` with these labels; an empty plane
/// where they are not one a pixel. Throws std::bad_alloc.
LabelPlane slice_labels(const Labels& labels, const Size3& size, Axis axis, std::int64_t index);

/// Colours of labels in pictures.
struct LabelColours {
  /// The first is that of no label, and not drawn.
  std::vector<std::array<std::uint8_t, 3>> palette;
  /// Which of the palette a label has, by label; beyond it: by a hash of the label.
  std::vector<std::uint8_t> of_label;

  /// The palette must have at least two.
  [[nodiscard]] const std::array<std::uint8_t, 3>& colour(std::uint32_t label) const;
};

/// How labels are drawn over a picture.
struct LabelMarks {
  std::shared_ptr<const LabelColours> colours;
  /// Share of the label's colour in the pixels inside, and in those with a neighbour of another
  /// label.
  double inside = 0.0;
  double edge = 0.0;
  /// In ascending order: labels whose border is drawn in `selected_color`, and whose inside is seen
  /// as it is.
  std::vector<std::uint32_t> selected;
  std::array<std::uint8_t, 3> selected_color{255, 255, 255};
};

/// Draws them in `rgba`, 4 bytes a pixel of the plane; neighbours share an edge, the border of the
/// picture is none. Nothing without colours.
void mark_labels(const LabelPlane& plane, const LabelMarks& marks, std::vector<std::uint8_t>& rgba);

}  // namespace aprscope
