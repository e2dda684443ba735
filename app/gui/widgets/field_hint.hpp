#pragma once

#include <QLabel>
#include <QPointer>

class QTimer;

namespace aprscope::gui {

/// A sentence beside a field of the same window: what is wrong with what is typed there, or what
/// was made of it. One a window; it takes no room and no clicks.
class FieldHint : public QLabel {
  Q_OBJECT

 public:
  /// Below the field (`at`: a part of it), until hide_for(), or for some seconds where `passing`.
  static void show_for(QWidget& field, const QString& text, bool passing, const QRect& at = {});
  static void hide_for(const QWidget& field);
  /// What is said of a field; empty where nothing is.
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
