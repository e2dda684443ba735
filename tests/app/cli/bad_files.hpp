#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace aprscope::test {

/// A file that cannot be what its name says, and how to make it at a path.
struct BadFile {
  /// Also the file's name.
  std::string name;
  std::function<void(const std::filesystem::path&)> make;

  friend std::ostream& operator<<(std::ostream& out, const BadFile& bad) { return out << bad.name; }
};

/// Cut off, random, empty, of another type, with sizes that lie, with zero slices.
std::vector<BadFile> bad_files();

/// A small image with structure in it, as a u16 TIFF; and the same as an APR, written by the
/// program itself.
void make_good_tiff(const std::filesystem::path& path);
void make_good_apr(const std::filesystem::path& path);
/// An f32 TIFF of which each pixel is NaN.
void make_nan_tiff(const std::filesystem::path& path);
/// An HDF5 file with volumes /a (2×3×4, u8) and /group/b (5×6×7, u16).
void make_two_volumes(const std::filesystem::path& path);

}  // namespace aprscope::test
