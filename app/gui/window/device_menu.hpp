#pragma once

#include <string>

class QMenu;

namespace aprscope::gui {

class Document;

/// Adds "Compute on" to a menu: the processor and every GPU by name and memory, one of them chosen;
/// where there is no GPU, why. Errors of a device that cannot be used become a message.
void add_device_menu(QMenu& menu, Document& document);

/// Says, each time, that the processor computes although there is a GPU, and why; nothing where
/// there is no reason.
void say_why_not_the_gpu(Document& document, const std::string& reason);

/// Where there is no GPU to use, says so in a message, once for each reason in all runs of the
/// program: it is no error, and the menu above tells it at any time.
void say_that_there_is_no_gpu(Document& document);

}  // namespace aprscope::gui
