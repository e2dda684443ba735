#include "app/gui/views/paint_link.hpp"

#include <utility>

#include "app/gui/document/level_set_choice.hpp"
#include "app/gui/document/paint_choice.hpp"
#include "core/pipeline/surface_range.hpp"
#include "render/mip_view.hpp"

namespace aprscope::gui {

PaintLink::PaintLink(ItemList& items, LevelSetChoice& level_set, PaintChoice& choice, MipView& view,
                     QObject* parent)
    : QObject(parent), items_(items), level_set_(level_set), choice_(choice), view_(view) {
  connect(&level_set_, &LevelSetChoice::changed, this, &PaintLink::follow);
  connect(&choice_, &PaintChoice::changed, this, &PaintLink::follow);
}

void PaintLink::follow() {
  const Item* now = items_.current();
  const Item* item = level_set_.has_surface() ? choice_.chosen() : nullptr;
  const auto shape = item != nullptr ? now->dataset : nullptr;
  const auto values = item != nullptr ? item->dataset : nullptr;
  const auto at = item != nullptr ? level_set_.set() : std::nullopt;
  if (shape == shape_ && values == values_ && at == at_) return;
  shape_ = shape;
  values_ = values;
  at_ = at;
  if (item == nullptr) {
    view_.paint().set(nullptr);
    return;
  }
  // Maps of resolution are 0 where there is none, e.g. outside of a mask; other files may not be.
  const bool angstrom = is_in_angstrom(*item);
  const bool positive = angstrom || (item->histogram && item->histogram->minimum >= 0.0);
  const auto limits = surface_range(*shape, *at, *values, positive);
  auto paint = std::make_shared<SurfacePaint>();
  paint->values = values->shared_volume();
  paint->limits = limits.value_or(Contrast{});
  paint->positive = positive;
  if (angstrom) paint->unit = QStringLiteral("Å");
  view_.paint().set(std::move(paint));
}

}  // namespace aprscope::gui
