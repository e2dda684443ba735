#pragma once

#include <memory>

#include "core/data/measurement.hpp"

namespace aprscope::python {

/// A measurement held by a Python object.
struct Measured {
  std::shared_ptr<const Measurement> found;
};

}  // namespace aprscope::python
