#pragma once

#include "core/operations/engine/operation_type.hpp"

namespace aprscope {

/// "gaussian", "box", "sharpen", "laplacian", "log" and "gradient" (kind central | sobel; component
/// magnitude | z | x | y). They also take mode (same | restricted | rescaled), boundary (reflect |
/// zero) and normalize.
std::vector<OperationType> convolution_operations();
/// "custom": a stencil that is typed or read from a file.
OperationType custom_operation();
/// "mean", "standard_deviation", "median", "min" and "max" of a neighbourhood.
std::vector<OperationType> statistic_operations();

}  // namespace aprscope
