#pragma once

#include <QHash>
#include <QIcon>
#include <QObject>
#include <QString>

#include "render/view_theme.hpp"

namespace aprscope::gui {

enum class ThemeKind { dark, light };

/// The usual size of text in per cent.
inline constexpr int kUsualTextSize = 100;

/// The colours, style sheet, icons and size of text of the whole program. There is one object for
/// the application.
class Theme : public QObject {
  Q_OBJECT

 public:
  explicit Theme(QObject* parent = nullptr);

  [[nodiscard]] ThemeKind kind() const { return kind_; }
  /// Style, palette and style sheet of the application.
  void apply(ThemeKind kind);
  void toggle();

  /// Sets the size of all texts, in per cent of the usual size.
  void set_text_size(int percent);
  [[nodiscard]] int text_size() const { return text_size_; }
  /// Goes to the next larger (1) or smaller (−1) size.
  void step_text_size(int step);

  /// An icon of gui.qrc in the colour of text (grey if disabled).
  [[nodiscard]] QIcon icon(const QString& name) const;
  [[nodiscard]] ViewTheme view_theme() const;

 signals:
  /// Icons and view themes have changed: get them again.
  void changed();

 private:
  ThemeKind kind_ = ThemeKind::dark;
  int text_size_ = kUsualTextSize;
  mutable QHash<QString, QIcon> icons_;
};

}  // namespace aprscope::gui
