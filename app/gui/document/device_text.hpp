#pragma once

#include <QString>
#include <vector>

#include "core/pipeline/execution.hpp"

namespace aprscope::gui {

/// A sentence for each step that was not computed on the chosen device, with its label and the
/// reason, for the message bar; empty if there are none.
QString moved_text(const std::vector<StepCost>& costs);

/// The same for the history, in brackets: " [cpu instead of cuda:0]"; empty if there are none.
QString moved_suffix(const std::vector<StepCost>& costs);

/// The same for a running step, for a caption: " · cpu instead of cuda:0".
QString moved_caption(const DeviceMove& move);

}  // namespace aprscope::gui
