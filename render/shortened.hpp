#pragma once

#include <QString>
#include <vector>

namespace aprscope {

/// Positions between characters as people count them (a letter with its accents is one), with the
/// start and the end of the text.
std::vector<qsizetype> character_bounds(const QString& text);

/// Shortens a name so that `width_of(text)` is at most `room`. Keeps both ends, which usually say
/// most, and cuts between characters. Empty if not even ten characters fit.
template <class WidthOf>
QString shortened(const QString& name, double room, const WidthOf& width_of) {
  if (width_of(name) <= room) return name;
  const std::vector<qsizetype> at = character_bounds(name);
  const std::size_t count = at.size() - 1;
  for (std::size_t keep = count; keep-- > 10;) {
    const qsizetype end = at[keep / 2];
    const qsizetype begin = at[count - (keep - keep / 2)];
    QString text = name.left(end) + QChar(0x2026) + name.mid(begin);
    if (width_of(text) <= room) return text;
  }
  return {};
}

}  // namespace aprscope
