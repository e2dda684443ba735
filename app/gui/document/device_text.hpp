#pragma once

#include <QString>
#include <vector>

#include "core/pipeline/execution.hpp"

namespace aprscope::gui {

/// Where steps were computed elsewhere than on the chosen device: a sentence for each, with its
/// label and why, for the message bar; empty where none was.
QString moved_text(const std::vector<StepCost>& costs);

/// The same for the history, in brackets: " [cpu instead of cuda:0]"; empty where none was.
QString moved_suffix(const std::vector<StepCost>& costs);

/// The same of what is being computed, for a caption: " · cpu instead of cuda:0".
QString moved_caption(const DeviceMove& move);

}  // namespace aprscope::gui
