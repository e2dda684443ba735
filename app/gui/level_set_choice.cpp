#include "app/gui/level_set_choice.hpp"

namespace aprscope::gui {

void LevelSetChoice::choose(const std::optional<LevelSet>& set) {
  if (set == set_) return;
  set_ = set;
  emit changed();
}

void LevelSetChoice::show_surface(bool on) {
  if (on == surface_) return;
  surface_ = on;
  emit changed();
}

void LevelSetChoice::pick(bool on) {
  if (on == picks_) return;
  picks_ = on;
  emit changed();
}

}  // namespace aprscope::gui
