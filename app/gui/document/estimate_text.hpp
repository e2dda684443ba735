#pragma once

#include <QString>

#include "app/gui/document/item.hpp"

namespace aprscope::gui {

/// The estimate of a conversion as rich text of a few lines: particles and bytes; how well the
/// bound is kept, and where it is promised; whether E or the thresholds decide. If thresholds limit
/// where it is promised, there is a link that removes this limit.
QString estimate_html(const ConversionEstimate& estimate);

/// Explains the words of the estimate, as plain text.
QString estimate_tip(const ConversionEstimate& estimate);

}  // namespace aprscope::gui
