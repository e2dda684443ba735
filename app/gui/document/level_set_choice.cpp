#include "app/gui/document/level_set_choice.hpp"

#include <QApplication>
#include <cmath>
#include <utility>

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

void LevelSetChoice::let_pick(bool on) {
  if (on == picks_) return;
  picks_ = on;
  emit changed();
}

void LevelSetChoice::pick(double value) {
  if (!picks_ || !set_ || !std::isfinite(value)) return;
  before_ = set_;
  since_.start();
  choose(LevelSet{value, set_->sets});
}

void LevelSetChoice::take_back() {
  const auto before = std::exchange(before_, std::nullopt);
  if (before && set_ && since_.elapsed() <= QApplication::doubleClickInterval()) choose(before);
}

}  // namespace aprscope::gui
