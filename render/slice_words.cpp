#include "render/slice_words.hpp"

#include "core/image/scale_bar.hpp"
#include "render/slice_transform.hpp"

namespace aprscope {
namespace {

QString letter(Axis axis, bool columns_are_x) {
  if (!columns_are_x || axis == Axis::z) return QLatin1String(axis_name(axis));
  return axis == Axis::x ? QStringLiteral("y") : QStringLiteral("x");
}

}  // namespace

QString plane_name(Axis axis, bool columns_are_x) {
  if (axis == Axis::z) return QStringLiteral("xy");
  return (axis == Axis::x) != columns_are_x ? QStringLiteral("yz") : QStringLiteral("xz");
}

std::array<QString, 3> slice_words(Axis axis, std::int64_t index, const Size3& size,
                                   const VoxelSize& voxel, bool columns_are_x) {
  const QString brief = QStringLiteral("%1 %2").arg(letter(axis, columns_are_x)).arg(index + 1);
  const QString among = QStringLiteral("%1 of %2").arg(brief).arg(plane_count(size, axis));
  QString with_length = among;
  if (voxel.unit != "px") {
    const double at = static_cast<double>(index) * component(voxel, axis);
    with_length += QStringLiteral(" · ") + QString::fromStdString(format_length(at, voxel.unit));
  }
  return {with_length, among, brief};
}

}  // namespace aprscope
