#pragma once

#include "core/apr/convert/conversion.hpp"
#include "core/apr/convert/raw_slices.hpp"

namespace aprscope {

/// Step 10 for an image whose slices come one after the other; they have the size of access. The
/// same values as sample_particles(). Errors: those of the slices, cancelled. Throws
/// std::bad_alloc.
Result<FieldValues> sample_slices(RawSlices& slices, const AprAccess& access,
                                  SamplingRounding rounding, const JobContext& context);

}  // namespace aprscope
