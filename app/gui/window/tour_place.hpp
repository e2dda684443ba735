#pragma once

#include <QRect>
#include <QSize>

namespace aprscope::gui {

/// Where a callout of `size` goes that points at `target`: beside it where there is room (right,
/// left, below, above, in the order of room), else over its lower part. Always within `area`.
QRect callout_place(const QRect& target, const QSize& size, const QRect& area);

}  // namespace aprscope::gui
