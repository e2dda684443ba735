#pragma once

#include <QFrame>

#include "app/gui/document/document.hpp"
#include "app/gui/window/time_player.hpp"

class QBoxLayout;
class QLabel;
class QSlider;
class QTimer;
class QToolButton;

namespace aprscope::gui {

/// Sliders for the channel, time point and images of the current item, each visible only if the
/// file has several (of images: more than the slices show at a time). All channels can be shown
/// together, and time points can be played.
class SourceBar : public QFrame {
  Q_OBJECT

 public:
  SourceBar(Document& document, Theme& theme, QWidget* parent = nullptr);

  [[nodiscard]] TimePlayer& player() { return *player_; }
  /// Goes on by so many time points, at most to the first or the last one.
  void step_time(int by);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void follow_item();
  void show_labels();
  void choose();

  Document& document_;
  QBoxLayout* rows_ = nullptr;
  QWidget* channel_row_ = nullptr;
  QWidget* time_row_ = nullptr;
  QWidget* images_row_ = nullptr;
  QSlider* channel_ = nullptr;
  QSlider* time_ = nullptr;
  QSlider* images_ = nullptr;
  QLabel* channel_label_ = nullptr;
  QToolButton* together_ = nullptr;
  QLabel* time_label_ = nullptr;
  QLabel* images_label_ = nullptr;
  TimePlayer* player_ = nullptr;
  QTimer* settle_ = nullptr;
  bool filling_ = false;
};

}  // namespace aprscope::gui
