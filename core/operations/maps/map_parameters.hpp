#pragma once

#include <string>

#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {

/// Å that lengths may be.
constexpr double kMostAngstrom = 1e6;

/// The range that a B-factor is fitted to, in Å; `automatic` says what 0 stands for.
inline ParameterSpec fit_from_parameter() {
  return schema::real("fit_from", "Fit from", 10.0)
      .range(0.1, kMostAngstrom)
      .unit("Å")
      .help("Coarse end of the range that the B-factor is fitted to.");
}
inline ParameterSpec fit_to_parameter(const std::string& automatic) {
  return schema::real("fit_to", "Fit to")
      .range(0.0, kMostAngstrom)
      .lowest("automatic")
      .unit("Å")
      .help("Fine end of that range; 0: " + automatic + ".");
}

}  // namespace aprscope
