#pragma once

#include <QSettings>
#include <QStringList>
#include <memory>

namespace aprscope::gui {

/// Where window layout, theme and recent files are kept; the environment variable
/// APRSCOPE_SETTINGS names another file (tests, several configurations side by side).
std::unique_ptr<QSettings> open_settings();

/// Newest first, at most ten.
QStringList recent_files();
void add_recent_file(const QString& path);
void clear_recent_files();

/// Whether nobody has used the program with these settings yet. Ask before anything is kept.
bool never_used();
/// The tour is offered by itself once, see Tour.
void note_tour_shown();

}  // namespace aprscope::gui
