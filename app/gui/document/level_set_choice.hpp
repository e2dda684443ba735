#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <optional>

#include "core/image/level_set.hpp"

namespace aprscope::gui {

/// The threshold that is being looked at, which plots move and views mark; none: nothing is marked.
class LevelSetChoice : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  [[nodiscard]] const std::optional<LevelSet>& set() const { return set_; }
  void choose(const std::optional<LevelSet>& set);
  /// Whether the 3-D view shows its surface, instead of darkening what does not belong to it.
  [[nodiscard]] bool surface() const { return surface_; }
  void show_surface(bool on);
  /// Whether there is one: of what is dark none is to be seen from outside.
  [[nodiscard]] bool has_surface() const {
    return surface_ && set_ && set_->sets == LevelSets::superlevel;
  }
  /// Whether a click in a slice puts the threshold at the value there.
  [[nodiscard]] bool picks() const { return picks_; }
  void let_pick(bool on);
  /// The threshold at a value that was clicked, if that is a number and picking is on; and back to
  /// where it was if that was a moment ago: the click was the first half of a double click.
  void pick(double value);
  void take_back();

 signals:
  void changed();

 private:
  std::optional<LevelSet> set_;
  bool surface_ = true;
  bool picks_ = false;
  std::optional<LevelSet> before_;
  QElapsedTimer since_;
};

}  // namespace aprscope::gui
