#pragma once

#include "core/io/common/format.hpp"

namespace aprscope {

/// Pixel images in HDF5 files, and what of any HDF5 file is named with it ("file.h5:/volume").
Format hdf5_format();

}  // namespace aprscope
