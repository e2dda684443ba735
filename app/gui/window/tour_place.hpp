#pragma once

#include <QRect>
#include <QSize>

namespace aprscope::gui {

/// The position of a callout of `size` for a target: beside it if possible (right, left, below or
/// above, wherever most room is), else over its lower part. Always inside of `area`.
QRect callout_place(const QRect& target, const QSize& size, const QRect& area);

}  // namespace aprscope::gui
