#pragma once

#include <string>
#include <vector>

#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {

/// Å that lengths may be.
constexpr double kMostAngstrom = 1e6;

/// The range that a B-factor is fitted to, in Å; `automatic` says what 0 stands for.
inline ParameterSpec fit_from_parameter() {
  return schema::real("fit_from", "Fit from", 10.0)
      .range(0.1, kMostAngstrom)
      .unit("Å")
      .help("Coarsest resolution that the B-factor is fitted to.");
}
inline ParameterSpec fit_to_parameter(const std::string& automatic) {
  return schema::real("fit_to", "Fit to")
      .range(0.0, kMostAngstrom)
      .lowest("automatic")
      .unit("Å")
      .help("Finest resolution that the B-factor is fitted to; 0: " + automatic + ".");
}

/// The MTF of the detector, and the pixel size of the images that it is of.
inline std::vector<ParameterSpec> mtf_parameters() {
  return {schema::text("mtf", "MTF of the detector")
              .names_file()
              .help("STAR file with the columns rlnResolutionInversePixel and rlnMtfValue, as "
                    "relion_postprocess takes it: amplitudes are divided by the MTF before the "
                    "B-factor is fitted. Empty: none."),
          schema::real("mtf_pixel_size", "Pixel size of the images")
              .range(0.0, kMostAngstrom)
              .lowest("that of the map")
              .unit("Å")
              .help("Pixel size of the images that the detector recorded, which the frequencies of "
                    "the MTF refer to; 0: that of the map.")};
}

}  // namespace aprscope
