#pragma once

#include <memory>
#include <string>

#include "core/base/result.hpp"
#include "core/pipeline/backend.hpp"

namespace aprscope::python {

/// The backend of a device name as for --device on the command line; made once. For any thread.
Result<std::shared_ptr<const Backend>> backend_named(const std::string& device);

}  // namespace aprscope::python
