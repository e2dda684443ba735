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

/// " · on the CPU" where the chosen device is another: for what is always computed there.
QString on_cpu_suffix(const Backend& chosen);

}  // namespace aprscope::gui
