#include "app/gui/widgets/file_patterns.hpp"

#include <QStringList>

#include "core/io/formats.hpp"

namespace aprscope::gui {
namespace {

QString patterns(bool with_particles) {
  QStringList all;
  for (const Format& format : formats()) {
    if ((format.particles && !with_particles) || format.folders) continue;
    for (const std::string& ending : format.endings) {
      all << QLatin1Char('*') + QString::fromStdString(ending);
    }
  }
  return all.join(QLatin1Char(' '));
}

}  // namespace

QString readable_patterns() { return patterns(true); }

QString pixel_patterns() { return patterns(false); }

}  // namespace aprscope::gui
