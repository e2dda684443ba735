#include "app/gui/widgets/show_in_folder.hpp"

#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

namespace aprscope::gui {

bool show_in_folder(const QString& path) {
  const QFileInfo info(path);
  const QString folder = info.isDir() ? info.absoluteFilePath() : info.absolutePath();
  return QDesktopServices::openUrl(QUrl::fromLocalFile(folder));
}

}  // namespace aprscope::gui
