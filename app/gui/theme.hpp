#pragma once

#include <QHash>
#include <QIcon>
#include <QObject>
#include <QString>

#include "render/view_theme.hpp"

namespace aprscope::gui {

enum class ThemeKind { dark, light };

/// Colours, style sheet and icons of the whole program. One object for the application.
class Theme : public QObject {
  Q_OBJECT

 public:
  explicit Theme(QObject* parent = nullptr);

  [[nodiscard]] ThemeKind kind() const { return kind_; }
  /// Style, palette and style sheet of the application.
  void apply(ThemeKind kind);
  void toggle();

  /// An icon of gui.qrc in the colour of the text (grey where disabled).
  [[nodiscard]] QIcon icon(const QString& name) const;
  [[nodiscard]] ViewTheme view_theme() const;

 signals:
  /// Icons and view themes must be fetched anew.
  void changed();

 private:
  ThemeKind kind_ = ThemeKind::dark;
  mutable QHash<QString, QIcon> icons_;
};

}  // namespace aprscope::gui
