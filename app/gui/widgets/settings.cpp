#include "app/gui/widgets/settings.hpp"

namespace aprscope::gui {
namespace {

constexpr int kMostRecent = 10;
const QString kRecent = QStringLiteral("recent_files");
const QString kMemory = QStringLiteral("memory/most");

}  // namespace

std::unique_ptr<QSettings> open_settings() {
  const QString file = qEnvironmentVariable("APRSCOPE_SETTINGS");
  if (!file.isEmpty()) return std::make_unique<QSettings>(file, QSettings::IniFormat);
  return std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope,
                                     QStringLiteral("aprscope"), QStringLiteral("aprscope"));
}

QStringList recent_files() { return open_settings()->value(kRecent).toStringList(); }

void add_recent_file(const QString& path) {
  const auto settings = open_settings();
  QStringList files = settings->value(kRecent).toStringList();
  files.removeAll(path);
  files.prepend(path);
  settings->setValue(kRecent, QStringList(files.mid(0, kMostRecent)));
}

void clear_recent_files() { open_settings()->remove(kRecent); }

std::uint64_t kept_memory() { return open_settings()->value(kMemory, 0).toULongLong(); }

void keep_memory(std::uint64_t bytes) {
  open_settings()->setValue(kMemory, static_cast<qulonglong>(bytes));
}

bool never_used() { return open_settings()->allKeys().isEmpty(); }

void note_tour_shown() { open_settings()->setValue(QStringLiteral("tour/shown"), true); }

}  // namespace aprscope::gui
