#pragma once

#include <cstdint>

// Private to core/io: the process that runs the HDF5 library.

namespace aprscope {

/// Descriptors of the program aprscope-hdf5 (hdf5_program/main.cpp).
inline constexpr int kHdf5HelperFile = 3;
inline constexpr int kHdf5HelperSocket = 4;

/// Gives up all rights but those on the two descriptors (confine.hpp), then answers the requests of
/// hdf5_wire.hpp that come through `socket` about the HDF5 file `file`, of so many bytes, until the
/// other end is closed. The first answer, without a request, says whether the file could be opened.
/// Whatever a file makes the library do, it can only end the calling process.
[[noreturn]] void serve_hdf5(int file, std::uint64_t bytes, int socket);

}  // namespace aprscope
