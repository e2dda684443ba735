#pragma once

#include <optional>

#include "core/image/profile.hpp"
#include "core/image/region.hpp"

namespace aprscope {

class SliceView;

/// Drags in a slice view other than moving the crosshair.
class SliceTools {
 public:
  explicit SliceTools(SliceView& view) : view_(view) {}

  /// While this tool is on, a drag draws a line, or moves the existing one or an end of it.
  void set_line_tool(bool on);
  [[nodiscard]] bool line_tool() const;
  /// Sets the line; does not emit line_drawn.
  void set_line(const std::optional<PlaneLine>& line);
  [[nodiscard]] const std::optional<PlaneLine>& line() const;

  /// Draws a box of the volume, whose edges drags move; none: drags move the crosshair. Does not
  /// emit box_dragged.
  void set_box(const std::optional<Region>& box);
  /// Whether drags elsewhere than at its edges move the crosshair as without a box; the whole box
  /// is then moved with Ctrl.
  void set_box_by_edges(bool on);
  [[nodiscard]] const std::optional<Region>& box() const;

  /// While the brush is on, a drag draws a stroke instead of moving the crosshair.
  void set_brush(bool on);

 private:
  SliceView& view_;
};

}  // namespace aprscope
