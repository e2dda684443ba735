#pragma once

#include <QString>

#include "core/apr/sample/slice.hpp"
#include "core/image/colormap.hpp"

namespace aprscope {

class SliceView;

/// A second slice in a slice view, with a handle between the two.
class SliceComparison {
 public:
  explicit SliceComparison(SliceView& view) : view_(view) {}

  /// Shows a second slice of the same shape to the right of the handle; an empty one removes it.
  void set_second_plane(Plane plane);
  void set_second_colors(const Contrast& contrast, const ColorTable& table);
  /// Names shown on both sides of the handle.
  void set_reveal_names(const QString& left, const QString& right);
  /// Where the handle is, as a part of the view's width; does not emit reveal_moved.
  void set_reveal(double fraction);
  [[nodiscard]] double reveal() const;

 private:
  SliceView& view_;
};

}  // namespace aprscope
