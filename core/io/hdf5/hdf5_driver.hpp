#pragma once

#include <cstdint>

#include <hdf5.h>

// Private to core/io: the file driver between the HDF5 library and the one file that it may read.

namespace aprscope {

/// Makes the library read the file of a descriptor that is open already. It cannot open
/// any other file, whatever links, virtual datasets and drivers a file names. Positions
/// of chunks are noted instead of reading them, see note_pixels(). Registers the driver
/// when first called; a negative number when that fails. Thread-unsafe, as the library
/// is.
hid_t descriptor_driver();

/// File access properties that open `descriptor` (kept open by the caller), a file of so many
/// bytes, under the name kDescriptorName; negative on failure. The caller closes them.
hid_t descriptor_access(int descriptor, std::uint64_t bytes);
inline constexpr const char* kDescriptorName = "input";

/// Where the library asked for pixels.
struct PixelsAt {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  /// Number of reads since note_pixels().
  int reads = 0;
};

/// From now on, until the next call, reading pixels does nothing but note in `at` what was asked
/// for; null ends that.
void note_pixels(PixelsAt* at);

}  // namespace aprscope
