#pragma once

#include "core/apr/convert/conversion_parameters.hpp"
#include "core/apr/convert/raw_slices.hpp"
#include "core/apr/structure/apr.hpp"
#include "core/base/job_context.hpp"

namespace aprscope {

/// Step 10 for an image whose slices come one after the other; the slices have the size of
/// `access`. Gives the same values as sample_particles(). Errors: those of the slices, cancelled.
/// Throws std::bad_alloc.
Result<FieldValues> sample_slices(RawSlices& slices, const AprAccess& access,
                                  SamplingRounding rounding, const JobContext& context);

/// Step 10: values of the particles from the pyramid of means (mean of the children that exist),
/// in the type of the volume; integers are rounded as `rounding` says. Errors: the size of the
/// volume is not that of access, too little memory, cancelled.
Result<FieldValues> sample_particles(const Volume& volume, const AprAccess& access,
                                     const JobContext& context = {},
                                     SamplingRounding rounding = SamplingRounding::nearest);

}  // namespace aprscope
