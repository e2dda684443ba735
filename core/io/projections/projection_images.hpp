#pragma once

#include <memory>
#include <vector>

#include "core/io/projections/projection_stacks.hpp"
#include "core/projections/projections.hpp"

// Private to core/io.

namespace aprscope {

/// Images of `side` × `side` out of the stacks that rows of `table_path` refer to.
std::shared_ptr<ProjectionImages> stack_images(std::vector<ProjectionStack> stacks,
                                               std::int64_t side, std::filesystem::path table_path);

}  // namespace aprscope
