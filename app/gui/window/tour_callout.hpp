#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace aprscope::gui {

/// The box of the tour that explains a part of the window.
class TourCallout : public QFrame {
  Q_OBJECT

 public:
  explicit TourCallout(QWidget* parent = nullptr);

  void set_step(int index, int count, const QString& title, const QString& text);
  /// What the step waits for; empty: it does not wait.
  void set_waiting(const QString& text);

  [[nodiscard]] QString title() const;

 signals:
  void next_requested();
  void back_requested();
  void skip_requested();
  /// The user wants to read about the step on the help page.
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
