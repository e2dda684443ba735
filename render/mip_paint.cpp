#include "render/mip_paint.hpp"

#include <cmath>
#include <utility>

#include "render/mip_view_state.hpp"
#include "render/paint_legend.hpp"

namespace aprscope {

void MipPaint::set(std::shared_ptr<const SurfacePaint> paint) {
  const auto before = view_.impl_->wanted_paint();
  view_.impl_->paint = std::move(paint);
  if (before == view_.impl_->wanted_paint()) return;
  // The running job colours the surface by something else.
  if (!view_.impl_->wants_paint(before.get())) view_.impl_->last_asked_exact = true;
  view_.request_picture(true);
  view_.update();
}

std::shared_ptr<const SurfacePaint> MipPaint::shown() const {
  return view_.rays().shows_surface() ? view_.impl_->shown_paint : nullptr;
}

// Colours the surface where the paint has a value, in the same light as the plain surface.
void MipView::Impl::color_paint() {
  if (!shown_paint || paint_picture.values.size() != picture.values.size()) return;
  const auto painted =
      apply_colormap(paint_picture.values, shown_paint->limits, paint_colors(), {0, 0, 0, 0});
  for (std::size_t i = 0; i < paint_picture.values.size(); ++i) {
    if (painted[4 * i + 3] == 0 || std::isnan(picture.values[i])) continue;
    for (std::size_t c = 4 * i; c < 4 * i + 3; ++c) {
      colors[c] = static_cast<std::uint8_t>(
          std::lround(static_cast<float>(painted[c]) * picture.values[i]));
    }
  }
}

}  // namespace aprscope
