#pragma once

#include "core/operations/engine/operation_type.hpp"

namespace aprscope {

/// Operations on maps of molecules: cubic images with voxels that are cubes, see core/maps.

/// B-factor, weights by the correlation of the halves, low-pass.
OperationType map_sharpen_operation();
/// A soft mask round the molecule, or the map inside it.
OperationType map_mask_operation();
/// The operation that mirrors a map.
OperationType map_flip_operation();
/// The same map on a finer grid.
OperationType map_upsample_operation();
/// The resolution at each voxel.
OperationType local_resolution_operation();

/// Fourier shell correlation with another map.
OperationType fsc_operation();
/// The operation that measures the Guinier plot.
OperationType guinier_operation();

}  // namespace aprscope
