#pragma once

#include "core/io/common/format.hpp"

namespace aprscope {

/// Imaris 5.5 (.ims): one image of channels, time points and levels of resolution in an HDF5 file.
Format imaris_format();

}  // namespace aprscope
