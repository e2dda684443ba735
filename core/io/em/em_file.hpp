#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/base/regular_file.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"
#include "core/io/common/samples.hpp"

// Private to core/io: what headers of MRC and SPIDER files say, and their samples. Axes of electron
// microscopy: x are the columns of an image, y its rows, z the sections.

namespace aprscope {

/// Where planes lie in a file and how their samples are written.
struct EmPlanes {
  std::int64_t columns = 0;
  std::int64_t rows = 0;
  /// Images of a stack, sections of a map, or of all maps of a stack of maps.
  std::int64_t sections = 0;
  SampleType type;
  /// Two samples share a byte, the lower half first; `type` has 4 bits.
  bool nibbles = false;
  bool swapped = false;
  /// Byte of the first sample, and from the begin of one item to that of the next. An item is what
  /// has a header of its own: an image of a stack, a map.
  std::uint64_t first = 0;
  std::int64_t sections_per_item = 1;
  std::uint64_t item_stride = 0;

  [[nodiscard]] std::uint64_t row_bytes() const;
  [[nodiscard]] std::uint64_t plane_bytes() const {
    return row_bytes() * static_cast<std::uint64_t>(rows);
  }
  [[nodiscard]] std::uint64_t offset(std::int64_t section) const;
  /// Bytes that a file with all sections has at least.
  [[nodiscard]] std::uint64_t end() const { return offset(sections - 1) + plane_bytes(); }
  /// Whole sections that a file of so many bytes has.
  [[nodiscard]] std::int64_t sections_in(std::uint64_t file_bytes) const;
};

/// What the header of a file says.
struct EmHeader {
  /// Name of the format: "MRC", "SPIDER".
  std::string format;
  EmPlanes planes;
  /// Whether its sections are separate images, not those of a map.
  bool stack = false;
  /// Maps that follow each other.
  std::int64_t maps = 1;
  /// The axes (x 0, y 1, z 2) of columns, rows and sections: 0, 1, 2 except in some old maps.
  std::array<int, 3> axes{0, 1, 2};
  /// Voxel size in Å along x, y, z; 0: the file does not say.
  std::array<double, 3> voxel{0.0, 0.0, 0.0};
  /// Å of the first sample's centre, x, y, z; 0 without a voxel size.
  std::array<double, 3> origin{0.0, 0.0, 0.0};

  /// Size of one map (or of the stack), in the program's axes.
  [[nodiscard]] Size3 size() const;
};

/// Bytes that a header is read from: what both formats need at least.
constexpr std::size_t kEmHeaderBytes = 1024;

/// An error when planes are of no size that can be, or do not fit `file_bytes`.
Status check_em_planes(const EmPlanes& planes, std::uint64_t file_bytes,
                       const std::filesystem::path& path);

/// The type of Volume that holds such samples, see stored_as().
StoredAs em_stored_as(const EmPlanes& planes);
/// "f32", "i8", "f16", "u4", …
std::string em_dtype(const EmPlanes& planes);

/// Rows of samples as a file has them (`raw` may be changed) into T: what em_stored_as() names, f32
/// or f64.
template <class T>
void decode_em(std::uint8_t* raw, const EmPlanes& planes, std::int64_t rows, T* out);

extern template void decode_em(std::uint8_t*, const EmPlanes&, std::int64_t, std::uint8_t*);
extern template void decode_em(std::uint8_t*, const EmPlanes&, std::int64_t, std::uint16_t*);
extern template void decode_em(std::uint8_t*, const EmPlanes&, std::int64_t, float*);
extern template void decode_em(std::uint8_t*, const EmPlanes&, std::int64_t, double*);

/// IEEE 754 binary16 in the machine's byte order to binary32.
void halves_to_floats(const std::uint8_t* halves, std::int64_t count, float* out);

}  // namespace aprscope
