#pragma once

#include <QString>

namespace aprscope::gui {

/// The path of the guide's first page, README.md: in resources/docs/guide of a folder above
/// this program, as in a build, or in share/aprscope above it, as when installed. Empty: not
/// found.
QString guide_page();

/// The anchor of a heading in links such as "filter.md#coarser-levels": lower case, spaces as
/// hyphens, and of all else letters and digits only.
QString heading_anchor(const QString& heading);

/// A page of Markdown without the comments that only its tests need.
QString without_remarks(QString markdown);

}  // namespace aprscope::gui
