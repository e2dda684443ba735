#pragma once

#include <QString>

namespace aprscope::gui {

/// The first page of the guide: resources/docs/guide/README.md in one of the folders that hold this
/// program, as in a build, or in share/aprscope of one of them, as it is installed. Empty: it is
/// not there.
QString guide_page();

/// The anchor of a heading in links such as "filter.md#coarser-levels": lower case, spaces as
/// hyphens, and of all else letters and digits only.
QString heading_anchor(const QString& heading);

/// A page of Markdown without the remarks that only its tests read.
QString without_remarks(QString markdown);

}  // namespace aprscope::gui
