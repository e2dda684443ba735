#pragma once

#include <QString>
#include <vector>

namespace aprscope {

/// Where the characters of a text begin, as a person counts them (a letter with its accents is
/// one), and where the last one ends.
std::vector<qsizetype> character_bounds(const QString& text);

/// A name that fits into `room` as `width_of(text)` measures: of one that is too long both ends are
/// kept, which say most. Cut between characters; empty where not even ten of them fit.
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
