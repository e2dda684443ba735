#pragma once

#include <optional>

#include "core/image/label_plane.hpp"
#include "core/image/level_set.hpp"

namespace aprscope {

class SliceView;

/// What is marked in the first slice of a slice view.
class SliceMarks {
 public:
  explicit SliceMarks(SliceView& view) : view_(view) {}

  /// Marks what a threshold keeps of the first slice, its border stronger; none: nothing.
  void set_level_set(const std::optional<LevelSet>& set);
  [[nodiscard]] const std::optional<LevelSet>& level_set() const;
  /// Draws labels over the first slice; a plane of another shape, or none: nothing. They go with
  /// the slice that they were set for: set_plane() and set_dots() forget them.
  void set_labels(LabelPlane labels);
  [[nodiscard]] const LabelPlane& labels() const;
  /// How labels are drawn.
  void set_label_marks(const LabelMarks& marks);

 private:
  SliceView& view_;
};

}  // namespace aprscope
