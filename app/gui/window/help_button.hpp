#pragma once

#include <QToolButton>

class QDockWidget;

namespace aprscope::gui {

/// A small "?" that opens the section of the help page about a panel.
class HelpButton : public QToolButton {
  Q_OBJECT

 public:
  explicit HelpButton(QWidget* parent = nullptr);

  /// `section`: in the help page; `name`: of the panel, for the tool tip and screen readers.
  void set_place(const QString& section, const QString& name);
  [[nodiscard]] const QString& section() const { return section_; }
  /// Places the button in the title of a dock, beside its close button.
  void stand_in_title(QDockWidget& dock);

 signals:
  void asked(const QString& section);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place();

  QString section_;
  /// The dock's close button; null: it has none.
  QWidget* beside_ = nullptr;
};

}  // namespace aprscope::gui
