#pragma once

#include <memory>
#include <string>

#include "core/base/result.hpp"
#include "core/pipeline/backend.hpp"

namespace aprscope::python {

/// The back end of a name as the command line's --device takes it; made once. Any thread.
Result<std::shared_ptr<const Backend>> backend_named(const std::string& device);

}  // namespace aprscope::python
