#pragma once

#include <string>

#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// "gaussian:sigma=2,size=13", "sobel:axis=x", "box:size=5", "laplacian", "log:sigma=2",
/// "gradient", "file:w.json", "file:psf.tif" → operation. Errors name the offending part.
Result<Operation> parse_stencil_spec(const std::string& spec);

}  // namespace aprscope
