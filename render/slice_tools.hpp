#pragma once

#include <optional>

#include "core/image/profile.hpp"

namespace aprscope {

class SliceView;

/// What drags in a slice view do besides moving the crosshair.
class SliceTools {
 public:
  explicit SliceTools(SliceView& view) : view_(view) {}

  /// While it is on, a drag draws a line, or moves an end of it.
  void set_line_tool(bool on);
  [[nodiscard]] bool line_tool() const;
  /// Does not emit line_drawn.
  void set_line(const std::optional<PlaneLine>& line);
  [[nodiscard]] const std::optional<PlaneLine>& line() const;

  /// While it is on, a drag draws a stroke instead of moving the crosshair.
  void set_brush(bool on);

 private:
  SliceView& view_;
};

}  // namespace aprscope
