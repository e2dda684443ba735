#pragma once

#include <optional>

#include "core/image/label_plane.hpp"
#include "core/image/level_set.hpp"
#include "render/mip_slices.hpp"

namespace aprscope {

class SliceView;

/// Marks in the first slice of a slice view.
class SliceMarks {
 public:
  explicit SliceMarks(SliceView& view) : view_(view) {}

  /// Marks what a threshold keeps in the first slice, its border stronger; none: no marks.
  void set_level_set(const std::optional<LevelSet>& set);
  [[nodiscard]] const std::optional<LevelSet>& level_set() const;
  /// Draws labels over the first slice; none if the plane has another shape or is empty. They
  /// belong to the current slice: set_plane() and set_dots() remove them.
  void set_labels(LabelPlane labels);
  [[nodiscard]] const LabelPlane& labels() const;
  /// How labels are drawn.
  void set_label_marks(const LabelMarks& marks);
  /// The first slice as it is drawn, with all marks; empty where the view shows no pixels.
  [[nodiscard]] ColouredSlice coloured() const;

 private:
  SliceView& view_;
};

}  // namespace aprscope
