#pragma once

#include <memory>

#include "core/data/measurement.hpp"

namespace aprscope::python {

/// What was measured, as Python has it.
struct Measured {
  std::shared_ptr<const Measurement> found;
};

}  // namespace aprscope::python
