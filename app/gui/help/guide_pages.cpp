#include "app/gui/help/guide_pages.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

namespace aprscope::gui {

QString guide_page() {
  const QString page = QStringLiteral("resources/docs/guide/README.md");
  QDir folder(QCoreApplication::applicationDirPath());
  do {
    for (const QString& below : {page, QStringLiteral("share/aprscope/") + page}) {
      if (QFileInfo(folder.filePath(below)).isFile()) return folder.filePath(below);
    }
  } while (folder.cdUp());
  return {};
}

QString heading_anchor(const QString& heading) {
  QString anchor;
  for (const QChar c : heading.trimmed().toLower()) {
    if (c == u' ') {
      anchor += u'-';
    } else if (c.isLetterOrNumber() || c == u'-' || c == u'_') {
      anchor += c;
    }
  }
  return anchor;
}

QString without_remarks(QString markdown) {
  static const QRegularExpression remark(QStringLiteral(R"(<!--.*?-->\n?)"),
                                         QRegularExpression::DotMatchesEverythingOption);
  return markdown.remove(remark);
}

}  // namespace aprscope::gui
