#pragma once

#include <QToolButton>

class QDockWidget;

namespace aprscope::gui {

/// A small "?" that asks what a panel is: it opens the panel's place on the help page.
class HelpButton : public QToolButton {
  Q_OBJECT

 public:
  explicit HelpButton(QWidget* parent = nullptr);

  /// `section`: of the help page; `name`: of the panel, for tool tip and screen readers.
  void set_place(const QString& section, const QString& name);
  [[nodiscard]] const QString& section() const { return section_; }
  /// Keeps it in the title of a dock, beside the button that closes it.
  void stand_in_title(QDockWidget& dock);

 signals:
  void asked(const QString& section);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place();

  QString section_;
  /// The button that closes the dock; null where there is none.
  QWidget* beside_ = nullptr;
};

}  // namespace aprscope::gui
