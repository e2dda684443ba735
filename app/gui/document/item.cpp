#include "app/gui/document/item.hpp"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <vector>

#include "core/projections/projections.hpp"

namespace aprscope::gui {
namespace {

// The number of pixels in the cell of each particle, clipped to the image.
std::vector<float> pixels_of_particles(const AprAccess& access) {
  const LinearAccess& cells = access.particles();
  const Size3& size = access.size();
  std::vector<float> weights(cells.count());
  for (int level = cells.level_first(); level <= cells.level_last(); ++level) {
    const std::int64_t side = std::int64_t{1} << (cells.level_max() - level);
    const auto covered = [&](std::int64_t cell, std::int64_t extent) {
      return std::min(side, extent - cell * side);
    };
    const Size3& grid = cells.grid(level);
    for (std::int64_t z = 0; z < grid.z; ++z) {
      for (std::int64_t x = 0; x < grid.x; ++x) {
        const ParticleRange row = cells.row(level, z, x);
        const std::int64_t area = covered(z, size.z) * covered(x, size.x);
        for (std::uint64_t i = row.begin; i < row.end; ++i) {
          weights[i] = static_cast<float>(area * covered(cells.y()[i], size.y));
        }
      }
    }
  }
  return weights;
}

}  // namespace

std::int64_t shown_row(const Item& item, std::int64_t z) {
  if (item.is_apr() || !item.dataset->volume().projections) return -1;
  return item.dataset->volume().projections->first_shown + z;
}

bool has_values(const Dataset& dataset) {
  if (!dataset.is_apr()) return true;
  const auto field = dataset.apr().main_field();
  return field && field->count() == dataset.apr().access->count();
}

ShowMode first_mode(const Dataset& dataset) {
  if (!dataset.is_apr()) return ShowMode::pixel;
  return has_values(dataset) ? ShowMode::constant : ShowMode::level;
}

bool Item::supports(ShowMode mode) const {
  switch (mode) {
    case ShowMode::pixel:
      return !is_apr() || pixels;
    case ShowMode::level:
      return is_apr();
    case ShowMode::constant:
    case ShowMode::smooth:
    case ShowMode::dots:
      return is_apr() && has_values(*dataset);
  }
  return false;
}

QString part_text(const Item& item) {
  QStringList parts;
  if (item.file_channels > 1 || item.recipe.channel > 0) {
    parts << QObject::tr("channel %1").arg(item.recipe.channel + 1);
  }
  if (item.file_times > 1 || item.recipe.time > 0) {
    parts << QObject::tr("time point %1").arg(item.recipe.time + 1);
  }
  return parts.join(QStringLiteral(", "));
}

std::shared_ptr<const Histogram> histogram_of(const Dataset& dataset) {
  if (!dataset.is_apr()) {
    return std::make_shared<const Histogram>(histogram(dataset.volume()));
  }
  if (!has_values(dataset)) return std::make_shared<const Histogram>();
  return std::make_shared<const Histogram>(
      histogram(dataset.values().particles(), 256, pixels_of_particles(*dataset.apr().access)));
}

}  // namespace aprscope::gui
