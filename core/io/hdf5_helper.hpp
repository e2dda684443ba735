#pragma once

#include <cstdint>

// Private to core/io: the process that runs the HDF5 library.

namespace aprscope {

/// Gives up all rights but those on the two descriptors (confine.hpp), then answers the requests of
/// hdf5_wire.hpp that come through `socket` about the HDF5 file `file`, of
/// so many bytes, until the other end is
/// closed. The first answer, without a request, says whether the file could be opened. Call in a
/// process that was just forked: whatever a file makes the library do, only that process ends.
[[noreturn]] void serve_hdf5(int file, std::uint64_t bytes, int socket);

}  // namespace aprscope
