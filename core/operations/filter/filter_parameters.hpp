#pragma once

#include "core/image/volume.hpp"
#include "core/operations/schema/schema_builder.hpp"

// Parameters that filters share.

namespace aprscope {

/// "size" in z, x, y, odd; 0 too where `minimum` is 0.
schema::ParameterBuilder stencil_size(double value, double minimum, double maximum);
/// The size asked for; 0 where it is automatic, 1 where the image has one pixel.
Size3 size_in_pixels(const Operation& complete, const Size3& image);

/// The parameter "boundary".
ParameterSpec boundary();

/// The schema of a convolution: its own parameters, then mode, boundary and normalize with these
/// defaults. The first one is named in lists.
OperationSchema convolution_schema(OperationSchema own, const char* mode, bool normalize);

}  // namespace aprscope
