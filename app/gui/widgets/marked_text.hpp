#pragma once

#include <QString>

// Texts of menus and buttons, in which an ampersand marks the next letter as a shortcut.

namespace aprscope::gui {

/// Doubles each ampersand, so that a menu or a button shows it.
inline QString with_ampersands(QString text) {
  return text.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

/// The text as it is seen: marks are gone, and of two ampersands one is left.
inline QString without_marks(const QString& text) {
  QString plain;
  for (qsizetype i = 0; i < text.size(); ++i) {
    if (text[i] == QLatin1Char('&') && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

}  // namespace aprscope::gui
