#pragma once

#include <string>

class QMenu;

namespace aprscope::gui {

class Document;

/// Adds the submenu "Compute on": the CPU and every GPU by name and memory, one of them chosen; if
/// there is no GPU, the reason. Errors of a device become a message.
void add_device_menu(QMenu& menu, Document& document);

/// Tells the user each time that the CPU computes although there is a GPU, and the reason; nothing
/// if there is no reason.
void say_why_not_the_gpu(Document& document, const std::string& reason);

/// Tells the user that no GPU can be used, once for each reason in all runs of the program: it is
/// no error, and the menu above always shows it.
void say_that_there_is_no_gpu(Document& document);

}  // namespace aprscope::gui
