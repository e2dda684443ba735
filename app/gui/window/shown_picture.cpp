#include "app/gui/window/shown_picture.hpp"

#include "app/gui/compare/compare_area.hpp"
#include "app/gui/views/views_area.hpp"
#include "render/screenshot.hpp"

namespace aprscope::gui {

QImage shown_picture(ViewsArea& views, CompareArea* compared) {
  const auto box = views.slice(Axis::z).tools().box();
  const auto set_boxes = [&](const std::optional<Region>& shown) {
    for (const Axis axis : {Axis::z, Axis::x, Axis::y}) views.slice(axis).tools().set_box(shown);
  };
  if (box) set_boxes(std::nullopt);
  QImage image = compared != nullptr ? screenshot(*compared)
                 : views.maximised() ? screenshot(views.view(*views.maximised()))
                                     : screenshot(views);
  if (box) set_boxes(box);
  return image;
}

}  // namespace aprscope::gui
