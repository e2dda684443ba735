#include "app/gui/widgets/axis_words.hpp"

#include <QObject>

namespace aprscope::gui {
namespace {

QString length(double value) { return QString::number(value, 'f', value < 100.0 ? 2 : 1); }

}  // namespace

QString position_words(const Index3& p, AxisWords words) {
  const std::int64_t row = p.x + 1;
  const std::int64_t col = p.y + 1;
  return words == AxisWords::rows_are_x
             ? QObject::tr("x ↓ %1  y → %2  z %3").arg(row).arg(col).arg(p.z + 1)
             : QObject::tr("x → %1  y ↓ %2  z %3").arg(col).arg(row).arg(p.z + 1);
}

QString place_words(const Index3& p, const VoxelSize& voxel, AxisWords words) {
  if (voxel.unit == "px") return {};
  const QString row = length(static_cast<double>(p.x) * voxel.x);
  const QString col = length(static_cast<double>(p.y) * voxel.y);
  const bool rows = words == AxisWords::rows_are_x;
  return QObject::tr("x %1  y %2  z %3 %4")
      .arg(rows ? row : col, rows ? col : row, length(static_cast<double>(p.z) * voxel.z),
           QString::fromStdString(voxel.unit));
}

}  // namespace aprscope::gui
