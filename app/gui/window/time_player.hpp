#pragma once

#include <QElapsedTimer>
#include <QWidget>
#include <chrono>
#include <cstdint>
#include <functional>

#include "app/gui/document/document.hpp"
#include "app/gui/widgets/theme.hpp"

class QTimer;
class QToolButton;

namespace aprscope::gui {

class WholeField;

/// Plays the time points of the current item in a loop: a button, and the number of time points per
/// second. It waits for those that take longer to read, to filter or to draw, and skips none. Stops
/// when another item becomes current, or when a time point cannot be read.
class TimePlayer : public QWidget {
  Q_OBJECT

 public:
  TimePlayer(Document& document, Theme& theme, QWidget* parent = nullptr);

  [[nodiscard]] bool plays() const;
  void toggle();
  void stop();
  /// Asks `shown` whether the views show the present time point as it is to be seen, before the
  /// next one; not for longer than `patience`, so that no film stands still for ever.
  void wait_for(std::function<bool()> shown, std::chrono::milliseconds patience);

 private:
  void start_or_stop(bool play);
  void step();
  void follow_item();
  void show_state();

  Document& document_;
  Theme& theme_;
  QToolButton* button_ = nullptr;
  WholeField* rate_ = nullptr;
  QTimer* clock_ = nullptr;
  std::function<bool()> shown_;
  std::chrono::milliseconds patience_{0};
  QElapsedTimer waiting_;
  std::uint64_t item_ = 0;  // the item that is played
};

}  // namespace aprscope::gui
