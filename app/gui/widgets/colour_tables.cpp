#include "app/gui/widgets/colour_tables.hpp"

#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "app/gui/widgets/settings.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/log.hpp"
#include "core/io/colours/colour_table_file.hpp"

namespace aprscope::gui {
namespace {

constexpr int kLongestName = 40;  // of imported colours, without a number

// The name of a file without its ending, as that of colours.
QString name_of_colours(const QString& path) {
  QString name = QFileInfo(path).completeBaseName().simplified();
  // Files whose names begin with a dot are hidden.
  while (name.startsWith(QLatin1Char('.'))) name.remove(0, 1);
  return name.isEmpty() ? QStringLiteral("imported") : name;
}

}  // namespace

QString colour_tables_folder() {
  return QFileInfo(open_settings()->fileName()).absolutePath() + QStringLiteral("/colours");
}

void load_colour_tables() {
  const QDir folder(colour_tables_folder());
  for (const QFileInfo& file : folder.entryInfoList({QStringLiteral("*.lut")}, QDir::Files)) {
    const auto table = read_colour_table(file.filePath().toStdString());
    if (table) {
      add_colormap(name_of_colours(file.filePath()).toStdString(), *table);
    } else {
      log(LogLevel::warning, table.error().message());
    }
  }
}

Result<QString> import_colour_table(const QString& path) {
  const auto table = read_colour_table(path.toStdString());
  if (!table) return table.error();
  const std::string name =
      add_colormap(name_of_colours(path).left(kLongestName).toStdString(), *table);
  const std::vector<std::string> added = added_colormaps();
  // Colours that the program has anyway need not be kept.
  if (std::find(added.begin(), added.end(), name) != added.end()) {
    const QString folder = colour_tables_folder();
    QDir().mkpath(folder);
    const std::string file = folder.toStdString() + "/" + name + ".lut";
    // Colours that cannot be kept are there until the program ends.
    if (Status kept = write_text_atomically(file, colour_table_bytes(*table)); !kept) {
      log(LogLevel::warning, kept.error().message());
    }
  }
  return QString::fromStdString(name);
}

}  // namespace aprscope::gui
