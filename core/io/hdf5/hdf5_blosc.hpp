#pragma once

// Private to core/io: the blosc filter of HDF5.

namespace aprscope {

/// Makes the blosc filter known to the HDF5 library of this process. Call under hdf5_mutex().
bool register_blosc_filter();

}  // namespace aprscope
