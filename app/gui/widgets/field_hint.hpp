#pragma once

#include <QLabel>
#include <QPointer>

class QTimer;

namespace aprscope::gui {

/// A sentence beside a field of the same window: what is wrong with the text in it, or how it was
/// changed. There is one for each window; it takes no room and no clicks.
class FieldHint : public QLabel {
  Q_OBJECT

 public:
  /// Shows a hint below the field (or below `at` in it) until hide_for(); if `passing`, briefly.
  static void show_for(QWidget& field, const QString& text, bool passing, const QRect& at = {});
  static void hide_for(const QWidget& field);
  /// The hint that is shown for a field; empty: none.
  [[nodiscard]] static QString text_for(const QWidget& field);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  explicit FieldHint(QWidget& window);
  static FieldHint* of(const QWidget& field);
  void place(QWidget& field, const QRect& at);

  QPointer<QWidget> field_;
  QTimer* timer_ = nullptr;
};

}  // namespace aprscope::gui
