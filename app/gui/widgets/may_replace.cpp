#include "app/gui/widgets/may_replace.hpp"

#include <QFileInfo>
#include <QMessageBox>
#include <QObject>

namespace aprscope::gui {

bool may_replace(QWidget* parent, const QString& path) {
  const QFileInfo info(path);
  // Only a .zarr folder is replaced as a whole; into other folders files are added.
  const bool whole = info.suffix().compare(QLatin1String("zarr"), Qt::CaseInsensitive) == 0;
  if (!info.exists() || (info.isDir() && !whole)) return true;
  return QMessageBox::question(parent, QObject::tr("Replace?"),
                               QObject::tr("%1 exists. Replace it?").arg(path)) == QMessageBox::Yes;
}

}  // namespace aprscope::gui
