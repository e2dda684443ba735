#pragma once

#include <cstdint>

#include <hdf5.h>

// Private to core/io: what lies between the HDF5 library and the one file that it may read.

namespace aprscope {

/// Makes the library read the file of a descriptor that is open already. It cannot open any other,
/// whatever links, virtual datasets and drivers a file names. Where chunks lie is noted instead of
/// reading them, see note_pixels().
/// Registers the driver when first called; a negative number when that fails. Thread-unsafe, as the
/// library is.
hid_t descriptor_driver();

/// File access properties that open `descriptor` (kept open by the caller), a file of so many
/// bytes, under the name kDescriptorName; negative on failure. The caller closes them.
hid_t descriptor_access(int descriptor, std::uint64_t bytes);
inline constexpr const char* kDescriptorName = "input";

/// Where pixels were asked for.
struct PixelsAt {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  /// How often since note_pixels().
  int reads = 0;
};

/// From now on, until the next call, reading of pixels succeeds without doing anything, and `at`
/// says what was asked for; null ends that.
void note_pixels(PixelsAt* at);

}  // namespace aprscope
