#pragma once

#include <cstdint>
#include <filesystem>

#include <sys/types.h>

#include "core/base/regular_file.hpp"
#include "core/base/result.hpp"

// Private to core/io: starts the process that runs the HDF5 library.

namespace aprscope {

/// Exit code of the helper when the system's loader could not start it (ld.so(8)).
inline constexpr int kNotLoaded = 127;

/// Starts the program aprscope-hdf5 on a file of so many bytes, with `socket` as the way to it. The
/// caller waits for it (waitpid), and still has both descriptors. Thread-safe. Errors name the
/// file: the program is missing, or the system has no room for one more.
Result<pid_t> start_hdf5_program(const RegularFile& file, std::uint64_t bytes, int socket);

/// The sentence when it could not be started, with the system's reason (errno).
Error hdf5_program_error(const std::filesystem::path& path, int code);

}  // namespace aprscope
