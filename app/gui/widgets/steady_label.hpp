#pragma once

#include <QHash>
#include <QLabel>
#include <QStringList>

namespace aprscope::gui {

/// A label with line breaks that does not change its height when its text does, so that widgets
/// below do not move while the user points at them. It reserves room for texts to come, and for
/// each width never becomes lower than it once was.
class SteadyLabel : public QLabel {
  Q_OBJECT

 public:
  explicit SteadyLabel(QWidget* parent = nullptr);

  /// Reserves room for so many lines, whatever the text is.
  void reserve_lines(int lines);
  /// Reserves room for the longest of these (plain) texts, at any width of the label.
  void reserve_texts(const QStringList& texts);

  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  [[nodiscard]] int reserved(int width) const;

  int lines_ = 1;
  QStringList texts_;
  /// The largest height needed so far, by width.
  mutable QHash<int, int> needed_;
};

}  // namespace aprscope::gui
