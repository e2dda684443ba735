#pragma once

#include <memory>
#include <string>

#include "core/dataset/dataset.hpp"

namespace aprscope::python {

/// Data held by a Python object: an image or particles, and the file they are from, if any.
struct Held {
  std::shared_ptr<const Dataset> data;
  std::string path{};
};

}  // namespace aprscope::python
