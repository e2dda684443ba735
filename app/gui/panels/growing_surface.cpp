#include "app/gui/panels/growing_surface.hpp"

#include "app/gui/document/document.hpp"
#include "app/gui/document/map_growth.hpp"
#include "app/gui/views/views_area.hpp"

namespace aprscope::gui {

GrowingSurface::GrowingSurface(Document& document, ViewsArea& views, MapGrowth& growth,
                               QWidget* parent)
    : QCheckBox(tr("Surface while it grows"), parent),
      document_(document),
      views_(views),
      growth_(growth) {
  setObjectName(QStringLiteral("reconstruct_surface"));
  setToolTip(
      tr("The 3-D view shows the growing map's surface, three standard deviations above its mean; "
         "if off, its projection"));
  setChecked(true);
  connect(this, &QCheckBox::toggled, this, &GrowingSurface::follow);
  connect(&growth, &MapGrowth::changed, this, &GrowingSurface::follow);
  connect(&document.items(), &ItemList::current_changed, this, &GrowingSurface::follow);
}

void GrowingSurface::follow() {
  const Item* item = document_.items().current();
  const bool on = isChecked() && item != nullptr && item->growing && growth_.running();
  if (on) {
    views_.set_level_set(LevelSet{growth_.state().contour, LevelSets::superlevel}, true);
  } else if (marks_) {
    views_.set_level_set(std::nullopt, true);
  }
  marks_ = on;
}

}  // namespace aprscope::gui
