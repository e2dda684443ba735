#pragma once

#include <QString>

#include "core/base/result.hpp"

namespace aprscope::gui {

/// The folder, beside the settings, in which imported colours are kept.
QString colour_tables_folder();

/// Adds the colours that are kept there to those that can be chosen. A file that cannot be read is
/// named in the log.
void load_colour_tables();

/// Reads colours from a file of another program, keeps them for the next time, and returns the name
/// by which they can be chosen now. That they cannot be kept is told in the log. Errors: the file
/// holds none.
Result<QString> import_colour_table(const QString& path);

}  // namespace aprscope::gui
