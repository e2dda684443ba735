#include "render/shortened.hpp"

#include <QTextBoundaryFinder>

namespace aprscope {

std::vector<qsizetype> character_bounds(const QString& text) {
  std::vector<qsizetype> bounds{0};
  QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, text);
  while (finder.toNextBoundary() > 0) bounds.push_back(finder.position());
  return bounds;
}

}  // namespace aprscope
