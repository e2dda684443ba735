#pragma once

#include <QString>

class QWidget;

namespace aprscope::gui {

/// Asks before a file that exists is replaced; true when there is none or the user agrees.
bool may_replace(QWidget* parent, const QString& path);

}  // namespace aprscope::gui
