#pragma once

#include <QWidget>
#include <cstdint>

#include "app/gui/document/document.hpp"
#include "app/gui/widgets/theme.hpp"

class QTimer;
class QToolButton;

namespace aprscope::gui {

class WholeField;

/// Plays the time points of the current item in a loop: a button, and the number of time points per
/// second. It waits for those that take longer to read and skips none. Stops when another item
/// becomes current, or when a time point cannot be read.
class TimePlayer : public QWidget {
  Q_OBJECT

 public:
  TimePlayer(Document& document, Theme& theme, QWidget* parent = nullptr);

  [[nodiscard]] bool plays() const;
  void toggle();
  void stop();

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
  std::uint64_t item_ = 0;  // the item that is played
};

}  // namespace aprscope::gui
