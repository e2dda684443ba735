#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace aprscope::gui {

/// The box of the tour that says what a place of the window is for.
class TourCallout : public QFrame {
  Q_OBJECT

 public:
  explicit TourCallout(QWidget* parent = nullptr);

  void set_step(int index, int count, const QString& title, const QString& text);
  /// What the step waits for; empty: for nothing.
  void set_waiting(const QString& text);

  [[nodiscard]] QString title() const;

 signals:
  void next_requested();
  void back_requested();
  void skip_requested();
  /// The part of the help page about this step.
  void more_requested();

 private:
  QLabel* count_ = nullptr;
  QLabel* title_ = nullptr;
  QLabel* text_ = nullptr;
  QLabel* waiting_ = nullptr;
  QPushButton* back_ = nullptr;
  QPushButton* next_ = nullptr;
  QPushButton* skip_ = nullptr;
};

}  // namespace aprscope::gui
