#pragma once

#include "core/operations/engine/operation_type.hpp"

namespace aprscope {

/// Histogram, and mean, deviation, quantiles …, of an image, of particles and of each of their
/// levels.
OperationType statistics_operation();

/// Values along a line in a slice, its length, and how wide its highest peak is.
OperationType line_operation();

/// The Euler characteristic, volume, surface and mean breadth of all level sets.
OperationType topology_operation();

/// PSNR, SSIM and differences from a reference in a file.
OperationType compare_operation();

/// The operation that measures the table of cells: a row for each label of the data.
OperationType cells_operation();

}  // namespace aprscope
