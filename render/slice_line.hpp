#pragma once

#include <QPointF>
#include <optional>

#include "core/image/profile.hpp"
#include "render/slice_transform.hpp"

namespace aprscope {

/// What a press takes of a line: one of its ends, all of it, or nothing of it: then a new line
/// begins.
enum class LineGrip { nothing, from, to, whole };

/// The line of a slice view, and the drag of it.
struct SliceLine {
  /// Drags draw and move it.
  bool tool = false;
  std::optional<PlaneLine> line;
  /// What the drag moves, the line when it began, and where that was, in pixels of the plane.
  LineGrip held = LineGrip::nothing;
  PlaneLine before;
  QPointF pressed;

  /// What a press at a position of the widget would take.
  [[nodiscard]] LineGrip grip(const SliceTransform& transform, const QPointF& at) const;
};

}  // namespace aprscope
