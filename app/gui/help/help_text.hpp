#pragma once

#include <QString>
#include <vector>

namespace aprscope::gui {

/// A part of the help page. `body` is rich text of our own; {picture:NAME} stands for a picture
/// (see help_pictures.hpp), links to #ID lead to another part.
struct HelpSection {
  QString id;
  QString title;
  QString body;
};

/// All parts in the order of the page, in the language of the program.
std::vector<HelpSection> help_sections();

/// The title of a part; empty for an unknown one.
QString help_title(const QString& id);

/// The link in the page that starts the tour.
inline constexpr const char* kTourLink = "aprscope:tour";

}  // namespace aprscope::gui
