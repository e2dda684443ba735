#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <optional>

#include "core/image/level_set.hpp"

namespace aprscope::gui {

/// The threshold that plots show and move and that views mark; none: nothing is marked.
class LevelSetChoice : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  [[nodiscard]] const std::optional<LevelSet>& set() const { return set_; }
  void choose(const std::optional<LevelSet>& set);
  /// Whether the 3-D view shows its surface; else it darkens what the threshold does not keep.
  [[nodiscard]] bool surface() const { return surface_; }
  void show_surface(bool on);
  /// Whether there is a surface: dark objects (sublevel sets) have none in the 3-D view.
  [[nodiscard]] bool has_surface() const {
    return surface_ && set_ && set_->sets == LevelSets::superlevel;
  }
  /// Whether a click in a slice moves the threshold to the value there.
  [[nodiscard]] bool picks() const { return picks_; }
  void let_pick(bool on);
  /// Moves the threshold to a clicked value, if it is a number and picking is on / moves it back,
  /// if that was a moment ago: the click was the first half of a double click.
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
