#pragma once

#include "core/image/labels.hpp"
#include "core/image/level_set.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// What is flooded: the grey values, or minus the distance to the background.
enum class FloodSignal { membrane, distance };

OperationSchema watershed_schema();

/// Choices of a complete watershed.
FloodSignal signal_of(const Operation& operation);
Connectivity flood_connectivity(const Operation& operation);
/// Whether there is a cell for each of some points or labels.
bool is_seeded(const Operation& operation);
/// Which side of a threshold objects are on.
LevelSets objects_of(const Operation& operation);

}  // namespace aprscope
