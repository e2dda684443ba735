#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/io/common/blosc_packing.hpp"

// Private to core/io: the blosc filter of HDF5.

namespace aprscope {

/// Makes the blosc filter known to the HDF5 library of this process. Call under hdf5_mutex().
bool register_blosc_filter();

/// Whether a filter's `values` are those that add_blosc_filter() gives it, whatever its version.
bool is_blosc_filter(const std::vector<std::uint32_t>& values, std::size_t type_size,
                     std::size_t chunk_bytes, const BloscPacking& packing);

/// A chunk as the filter of add_blosc_filter() would store it (blosc, shuffled),
/// in `out`, which has room for as many bytes; 0 when it does not shrink: then it is stored plain.
/// Any thread.
std::size_t blosc_pack_chunk(std::span<const std::uint8_t> plain, std::size_t type_size,
                             const BloscPacking& packing, std::span<std::uint8_t> out);

}  // namespace aprscope
