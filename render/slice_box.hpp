#pragma once

#include <QColor>
#include <QPointF>
#include <QRectF>
#include <cstdint>
#include <optional>

#include "core/image/region.hpp"
#include "render/slice_transform.hpp"

// A box that is drawn over slices and changed by the mouse, as a selection in other programs: a
// drag of an edge or a corner moves it, one inside moves the whole box, one outside draws a new
// rectangle.

namespace aprscope {

/// Its colour, also where a view in three dimensions outlines it.
QColor box_color();

/// What a press takes hold of.
struct BoxGrip {
  /// -1: the edge before the first row (column), 1: the one behind the last, 0: neither.
  int row = 0;
  int col = 0;
  /// The whole box.
  bool inside = false;
  [[nodiscard]] bool edge() const { return row != 0 || col != 0; }
};

/// What a press at `at` takes hold of. `box`: the rectangle of the box, `seen`: the part of the
/// image that shows, all in pixels of the widget. A box that covers all that is seen has no inside:
/// a drag draws a new one there.
BoxGrip box_grip(const QRectF& box, const QRectF& seen, const QPointF& at);

/// Pixels [begin, end) of one dimension.
struct BoxSpan {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  friend bool operator==(const BoxSpan&, const BoxSpan&) = default;
};

/// How a drag changes a span of an image of `extent` pixels; all positions in fractional pixels.
/// The result has at least one pixel and lies in the image. An edge (-1 or 1) that was pressed
/// anywhere follows the pointer, also past the other edge.
BoxSpan span_with_edge(const BoxSpan& span, int edge, double to, std::int64_t extent);
/// The whole span, moved by `way` pixels, rounded.
BoxSpan moved_span(const BoxSpan& span, double way, std::int64_t extent);
/// All pixels from one position to another, in either order.
BoxSpan drawn_span(double from, double to, std::int64_t extent);

/// The box of a slice view.
struct SliceBox {
  std::optional<Region> region;
  /// Only edges are taken hold of, and with Ctrl the whole box.
  bool by_edges = false;
  /// While a drag changes it: what was grabbed, and region and place (column, row) at the start.
  BoxGrip held;
  Region before;
  QPointF from;

  /// The rectangle of the region in the widget of a slice perpendicular to `axis`.
  [[nodiscard]] QRectF rect(const SliceTransform& transform, Axis axis) const;
};

/// The part of an image of rows × cols pixels that its widget shows.
QRectF visible_part(const SliceTransform& transform, std::int64_t rows, std::int64_t cols);

}  // namespace aprscope
