#pragma once

#include <QString>

namespace aprscope {

/// A name that fits into `room` as `width_of(text)` measures: of one that is too long both ends are
/// kept, which say most. Empty where not even ten letters fit.
template <class WidthOf>
QString shortened(const QString& name, double room, const WidthOf& width_of) {
  if (width_of(name) <= room) return name;
  for (qsizetype keep = name.size() - 1; keep >= 10; --keep) {
    const QString text = name.left(keep / 2) + QChar(0x2026) + name.right(keep - keep / 2);
    if (width_of(text) <= room) return text;
  }
  return {};
}

}  // namespace aprscope
