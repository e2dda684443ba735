#pragma once

#include "core/io/common/format.hpp"

namespace aprscope {

/// TIFF files: ImageJ, OME-TIFF, plain; BigTIFF too.
Format tiff_format();

}  // namespace aprscope
