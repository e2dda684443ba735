#pragma once

#include <QLabel>

namespace aprscope::gui {

/// Plain text in as many lines as there is room for. A longer text ends in "…", and the tool tip
/// has all of it.
class ShortText : public QLabel {
  Q_OBJECT

 public:
  explicit ShortText(QWidget* parent = nullptr);

  void set_text(const QString& text);
  /// Whether the whole text is visible.
  [[nodiscard]] bool complete() const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] QStringList lines() const;
  void update_tool_tip();
};

}  // namespace aprscope::gui
