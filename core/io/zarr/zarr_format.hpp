#pragma once

#include "core/io/common/format.hpp"

// Private to core/io.

namespace aprscope {

/// OME-Zarr, plain Zarr 2 and 3, and N5: folders.
Format zarr_format();

}  // namespace aprscope
