#pragma once

#include <QSettings>
#include <QStringList>
#include <cstdint>
#include <memory>

namespace aprscope::gui {

/// The file with window layout, theme and recent files. The environment variable APRSCOPE_SETTINGS
/// names another file (for tests, or several configurations side by side).
std::unique_ptr<QSettings> open_settings();

/// The recent files, newest first, at most ten.
QStringList recent_files();
void add_recent_file(const QString& path);
void clear_recent_files();

/// Memory that files may take, in bytes, as LargeFiles takes it; 0: what is free.
std::uint64_t kept_memory();
void keep_memory(std::uint64_t bytes);

/// Whether the program runs with these settings for the first time. Call before saving anything.
bool never_used();
/// Notes that the tour was shown, as it starts by itself only once.
void note_tour_shown();

}  // namespace aprscope::gui
