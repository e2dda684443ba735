#include "app/gui/widgets/level_legend.hpp"

#include <QObject>

#include "core/image/scale_bar.hpp"

namespace aprscope::gui {
namespace {

QString physical_side(double pixels, const VoxelSize& voxel) {
  if (voxel.z == voxel.x && voxel.x == voxel.y) {
    return QString::fromStdString(format_length(pixels * voxel.z, voxel.unit));
  }
  const auto number = [pixels](double step) { return QString::number(pixels * step, 'g', 3); };
  return QStringLiteral("%1 × %2 × %3 %4")
      .arg(number(voxel.z), number(voxel.x), number(voxel.y), QString::fromStdString(voxel.unit));
}

}  // namespace

Contrast level_contrast(const AprAccess& access) {
  return {static_cast<double>(access.level_min_used()), static_cast<double>(access.level_max()),
          1.0};
}

std::vector<LegendEntry> level_legend(const AprAccess& access, const VoxelSize& voxel) {
  std::vector<float> levels;
  for (int level = access.level_max(); level >= access.level_min_used(); --level) {
    levels.push_back(static_cast<float>(level));
  }
  // Uses the same function that colours the map, so that both agree.
  const std::vector<std::uint8_t> rgba =
      apply_colormap(levels, level_contrast(access), colormap(kLevelColors));
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::int64_t side = std::int64_t{1} << i;
    QString label = QObject::tr("level %1: %2 px").arg(static_cast<int>(levels[i])).arg(side);
    if (voxel.unit != "px") {
      label += QStringLiteral(" · ") + physical_side(static_cast<double>(side), voxel);
    }
    legend.push_back({QColor(rgba[4 * i], rgba[4 * i + 1], rgba[4 * i + 2]), label});
  }
  return legend;
}

}  // namespace aprscope::gui
