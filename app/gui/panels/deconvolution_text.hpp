#pragma once

#include <QString>

namespace aprscope::gui {

class DeconvolutionRun;

/// What is told of a run or a preview while it goes on, and of the last one afterwards: its
/// iteration and change, figures against a ground truth, the resolution of a result.
QString deconvolution_text(const DeconvolutionRun& run);

}  // namespace aprscope::gui
