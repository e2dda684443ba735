#pragma once

#include <QString>

#include "core/operations/schema/operation.hpp"

namespace aprscope::gui {

/// An operation in a few words for lists and captions: its label, the parameters that differ from
/// their defaults, and a filter's main parameter: "Gaussian, sigma 2 px". describe() gives all
/// parameters.
QString short_text(const Operation& operation);

}  // namespace aprscope::gui
