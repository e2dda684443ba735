#include "app/gui/widgets/may_replace.hpp"

#include <QFileInfo>
#include <QMessageBox>
#include <QObject>

namespace aprscope::gui {

bool may_replace(QWidget* parent, const QString& path) {
  const QFileInfo info(path);
  // Into other folders files are put.
  const bool whole = info.suffix().compare(QLatin1String("zarr"), Qt::CaseInsensitive) == 0;
  if (!info.exists() || (info.isDir() && !whole)) return true;
  return QMessageBox::question(parent, QObject::tr("Replace?"),
                               QObject::tr("%1 exists. Replace it?").arg(path)) == QMessageBox::Yes;
}

}  // namespace aprscope::gui
