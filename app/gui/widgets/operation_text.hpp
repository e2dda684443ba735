#pragma once

#include <QString>

#include "core/operations/schema/operation.hpp"

namespace aprscope::gui {

/// An operation in a few words for lists and captions: its label with the parameters that are not
/// as they are by default, and the main one of a filter: "Gaussian, sigma 2 px". describe() says
/// everything.
QString short_text(const Operation& operation);

}  // namespace aprscope::gui
