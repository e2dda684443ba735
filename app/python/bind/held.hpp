#pragma once

#include <memory>
#include <string>

#include "core/dataset/dataset.hpp"

namespace aprscope::python {

/// Data as Python has it: an image or particles, and the file that they were read from, if any.
struct Held {
  std::shared_ptr<const Dataset> data;
  std::string path{};
};

}  // namespace aprscope::python
