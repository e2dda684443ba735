#pragma once

#include <QWidget>
#include <vector>

#include "core/io/common/metadata_part.hpp"

class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace aprscope::gui {

/// The texts of a file below their titles, as one text.
QString metadata_text(const std::vector<MetadataPart>& parts);

/// What a file says of itself, as text that can be searched but not changed.
class MetadataView : public QWidget {
  Q_OBJECT

 public:
  explicit MetadataView(QWidget* parent = nullptr);

  /// Shows a text, or a sentence in place of one.
  void show_text(const QString& text);
  /// The whole text; very long lines are broken only where it is shown.
  [[nodiscard]] const QString& text() const { return text_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void find_next(bool backward, bool from_start);

  QLineEdit* sought_ = nullptr;
  QLabel* found_ = nullptr;
  QPlainTextEdit* shown_ = nullptr;
  QString text_;
};

}  // namespace aprscope::gui
