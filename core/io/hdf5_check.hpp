#pragma once

#include <filesystem>

#include "core/base/result.hpp"

// Private to core/io: looks at the metadata of an HDF5 file before the HDF5 library does.

namespace aprscope {

/// Walks the groups, object headers and attributes of a file in the older format (superblock 0 and
/// 1, object headers 1), whose metadata carries no checksums, and checks that every length and
/// offset stays within what holds it. The library (1.10) follows some of them unchecked, out of its
/// buffers. Newer formats have checksums and pass unseen, as does what lies beyond the first 20000
/// objects. Errors: the first offence. Layout: HDF5 File Format Specification 3.0.
Status check_hdf5_metadata(const std::filesystem::path& path);

}  // namespace aprscope
