#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// Private to core/io: the blosc filter of HDF5.

namespace aprscope {

/// Makes the blosc filter known to the HDF5 library of this process. Call under hdf5_mutex().
bool register_blosc_filter();

/// A chunk as the filter of add_blosc_filter() would store it (blosc, shuffled, zstd at `level`),
/// in `out`, which has room for as many bytes; 0 when it does not shrink: then it is stored plain.
/// Any thread.
std::size_t blosc_pack_chunk(std::span<const std::uint8_t> plain, std::size_t type_size,
                             unsigned level, std::span<std::uint8_t> out);

}  // namespace aprscope
