#pragma once

#include <QString>

#include "app/gui/document/item.hpp"

namespace aprscope::gui {

/// What Convert would give, as rich text of a few lines: particles and bytes, how well the bound is
/// kept and where it is promised, and whether E or the thresholds decide. Where thresholds take the
/// promise away there is a link to do without.
QString estimate_html(const ConversionEstimate& estimate);

/// What these words mean, as plain text.
QString estimate_tip(const ConversionEstimate& estimate);

}  // namespace aprscope::gui
