#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// Private to core/io: the blosc filter of HDF5.

namespace aprscope {

/// Makes the blosc filter known to the HDF5 library of this process. Call under hdf5_mutex().
bool register_blosc_filter();

/// Bytes that the blosc buffer `source` unpacks to; 0 when its header is not valid or tells of more
/// bytes than it has.
std::size_t blosc_unpacked_size(std::span<const std::uint8_t> source);

/// Unpacks `source` into `target`, whose size is blosc_unpacked_size(). False for damaged bytes;
/// throws std::bad_alloc where memory is short. Thread-safe.
bool blosc_unpack(std::span<const std::uint8_t> source, std::span<std::uint8_t> target);

}  // namespace aprscope
