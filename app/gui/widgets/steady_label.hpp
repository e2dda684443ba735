#pragma once

#include <QHash>
#include <QLabel>
#include <QStringList>

namespace aprscope::gui {

/// A label of wrapped lines that keeps its height while its text changes, so that what stands below
/// it does not slide away from under the cursor: it has room for what it may say later, and never
/// gives back at one width what it once needed there.
class SteadyLabel : public QLabel {
  Q_OBJECT

 public:
  explicit SteadyLabel(QWidget* parent = nullptr);

  /// Room for so many lines, whatever the text is.
  void reserve_lines(int lines);
  /// Room for the longest of these (plain) texts, however wide the label is.
  void reserve_texts(const QStringList& texts);

  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  [[nodiscard]] int reserved(int width) const;

  int lines_ = 1;
  QStringList texts_;
  /// Height that was needed so far, by width.
  mutable QHash<int, int> needed_;
};

}  // namespace aprscope::gui
