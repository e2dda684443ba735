#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/image/label_parts.hpp"
#include "core/image/labels.hpp"

namespace aprscope {

/// Labels of one slice; rows and columns as those of a Plane.
struct LabelPlane {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::uint32_t> values;
  /// Part of its object that each pixel belongs to, see LabelParts; empty: not known.
  std::vector<std::uint32_t> parts;
};

/// Slice `index` (clamped to the image) of an image of `size` with these labels; an empty plane
/// where they are not one a pixel. Throws std::bad_alloc.
LabelPlane slice_labels(std::span<const std::uint32_t> labels, const Size3& size, Axis axis,
                        std::int64_t index);

/// Parts for a plane of labels, from `pieces`, the same slice of LabelParts::pieces.
void add_parts(const LabelPlane& pieces, const LabelParts& parts, LabelPlane& plane);

/// Colours of labels in pictures.
struct LabelColours {
  /// The first is that of no label, and not drawn.
  std::vector<std::array<std::uint8_t, 3>> palette;
  /// Index in the palette for each label; labels beyond its end: by a hash of the label.
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
  /// Selected labels, in ascending order: the border is drawn in `selected_color`, and the inside
  /// is not tinted.
  std::vector<std::uint32_t> selected;
  std::array<std::uint8_t, 3> selected_color{255, 255, 255};
};

/// Draws labels into `rgba`, 4 bytes a pixel of the plane. Pixels are neighbours if they share an
/// edge; the border of the picture is no border of a label. Between parts of one object the edge is
/// dotted, a pixel wide. Nothing without colours.
void mark_labels(const LabelPlane& plane, const LabelMarks& marks, std::vector<std::uint8_t>& rgba);

}  // namespace aprscope
