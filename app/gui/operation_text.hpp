#pragma once

#include <QString>

#include "core/operations/schema/operation.hpp"

namespace aprscope::gui {

/// An operation in a few words for lists and captions: its label with the parameters that are not
/// as they are by default, and the main one of a filter: "Gaussian, sigma 2 px". describe() says
/// everything.
QString short_text(const Operation& operation);

/// Whether its values are no grey values of the image any more (edges, deviations, stencils that
/// weigh negatively or are not normalised, light that is back in its place), so that they need a
/// contrast of their own.
bool has_range_of_its_own(const Operation& operation);

}  // namespace aprscope::gui
