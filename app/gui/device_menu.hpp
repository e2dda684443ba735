#pragma once

class QMenu;

namespace aprscope::gui {

class Document;

/// Adds "Compute on" to a menu: the processor and every GPU by name and memory, one of them chosen;
/// where there is no GPU, why. Errors of a device that cannot be used become a message.
void add_device_menu(QMenu& menu, Document& document);

}  // namespace aprscope::gui
