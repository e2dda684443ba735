#include "app/gui/panels/preview_region.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/slice_view.hpp"

namespace aprscope::gui {
namespace {

// A preview follows within a second or so.
constexpr std::int64_t kPreviewSide = 192;
constexpr std::int64_t kPreviewDepth = 17;

}  // namespace

Region preview_region(SliceView& view, const Size3& size, const Index3& middle) {
  const auto range = [](double low, double high, double centre, std::int64_t n, std::int64_t most) {
    auto first = std::clamp<std::int64_t>(std::llround(std::floor(low)), 0, n - 1);
    auto last = std::clamp<std::int64_t>(std::llround(std::ceil(high)), first + 1, n);
    if (last - first > most) {
      const auto from = std::llround(centre) - most / 2;
      first = std::clamp<std::int64_t>(from, first, last - most);
      last = first + most;
    }
    return std::pair(first, last);
  };
  const SliceCamera camera = view.navigation().camera();
  // Logical pixels of one image pixel.
  const QPointF origin = view.to_widget(0, 0);
  const QPointF one = view.to_widget(1, 1);
  const double rows = view.height() / std::max(1e-6, one.y() - origin.y()) / 2.0;
  const double cols = view.width() / std::max(1e-6, one.x() - origin.x()) / 2.0;
  const auto [x0, x1] =
      range(camera.row - rows, camera.row + rows, camera.row, size.x, kPreviewSide);
  const auto [y0, y1] =
      range(camera.col - cols, camera.col + cols, camera.col, size.y, kPreviewSide);
  const auto z = static_cast<double>(middle.z);
  const auto [z0, z1] =
      range(z - kPreviewDepth / 2.0, z + kPreviewDepth / 2.0, z, size.z, kPreviewDepth);
  return {{z0, x0, y0}, {z1, x1, y1}};
}

}  // namespace aprscope::gui
