#include "app/gui/window/tour_place.hpp"

#include <algorithm>
#include <array>

namespace aprscope::gui {
namespace {

constexpr int kCalloutGap = 16;
constexpr int kEdge = 12;

int within(int at, int length, int low, int high) {
  return std::max(low, std::min(at, high - length));
}

}  // namespace

QRect callout_place(const QRect& target, const QSize& size, const QRect& area) {
  const QRect room = area.adjusted(kEdge, kEdge, -kEdge, -kEdge);
  const int right = room.right() - target.right();
  const int left = target.left() - room.left();
  const int below = room.bottom() - target.bottom();
  const int above = target.top() - room.top();
  const int most = std::max({right - size.width(), left - size.width(), below - size.height(),
                             above - size.height()}) -
                   kCalloutGap;
  QPoint at;
  if (most < 0) {  // the target fills the window
    at = {target.center().x() - size.width() / 2,
          target.bottom() - size.height() - 2 * kCalloutGap};
  } else if (most == right - size.width() - kCalloutGap) {
    at = {target.right() + kCalloutGap, target.center().y() - size.height() / 2};
  } else if (most == left - size.width() - kCalloutGap) {
    at = {target.left() - kCalloutGap - size.width(), target.center().y() - size.height() / 2};
  } else if (most == below - size.height() - kCalloutGap) {
    at = {target.center().x() - size.width() / 2, target.bottom() + kCalloutGap};
  } else {
    at = {target.center().x() - size.width() / 2, target.top() - kCalloutGap - size.height()};
  }
  return {within(at.x(), size.width(), room.left(), room.right()),
          within(at.y(), size.height(), room.top(), room.bottom()), size.width(), size.height()};
}

}  // namespace aprscope::gui
