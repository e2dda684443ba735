#pragma once

#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// The modulation transfer function (MTF) of a detector as a file lists it.
struct MtfPoints {
  /// Frequencies in cycles per pixel of the images, at least 0 and rising; 0.5 is Nyquist.
  std::vector<double> frequency;
  /// Value of the MTF at each frequency, above 0.
  std::vector<double> value;
};

/// Reads an MTF from a STAR file as relion_postprocess --mtf takes it: the first table with the
/// columns rlnResolutionInversePixel and rlnMtfValue. Errors name the file and the line: those of
/// STAR files, no such table, fewer than two points, what is no number, frequencies that do not
/// rise, values that are not above 0; cancelled.
Result<MtfPoints> read_mtf(const std::string& path, const JobContext& context = {});

}  // namespace aprscope
