#pragma once

#include "core/operations/engine/operation_type.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/projections.hpp"

namespace aprscope {

/// Operations between projection images and maps.
OperationType backproject_operation();
OperationType project_operation();

/// The operation that tabulates what a table of projections says of its images.
OperationType projections_operation();

/// The settings that a complete `backproject` stands for.
BackprojectSettings backproject_settings(const Operation& complete);

/// Runs a complete `backproject` with what inserts images into the map; the engines of all devices.
Result<Data> backproject_with(const Operation& complete, const Dataset& input,
                              const IterationHooks& hooks, const InserterFactory& inserters,
                              const JobContext& context);

/// The set of projections of an input, with the pixel size that was typed for it, if one was.
Projections projections_with_typed_size(const Dataset& input);

/// A map as an image, with how it came about; Å where its pixel size is known.
Volume map_image(std::shared_ptr<const Reconstruction> reconstruction, std::string name);

}  // namespace aprscope
