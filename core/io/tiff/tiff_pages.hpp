#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/io/common/samples.hpp"
#include "core/io/tiff/tiff_file.hpp"

// Private to core/io: the pages (image file directories) of a TIFF file, checked against the file.

namespace aprscope {

/// One page, as far as reading its pixels needs.
struct TiffPage {
  /// Offset of the directory, for TIFFSetSubDirectory().
  std::uint64_t directory = 0;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  int samples = 1;
  SampleType type;
  /// One plane a sample (PlanarConfiguration 2) instead of interleaved samples.
  bool separate = false;
  bool tiled = false;
  /// Thumbnail, smaller copy or mask.
  bool reduced = false;
  bool compressed = false;
  /// Why the pixels cannot be read; empty when they can. Kept until the page is asked for: a file
  /// may hold odd pages that nobody reads.
  std::string problem;
  /// Advice for users, beside `problem`.
  std::string advice;
  /// Bytes of all samples, decoded.
  std::uint64_t pixel_bytes = 0;

  /// Whether size and samples are the same, so that both pages may belong to one stack.
  [[nodiscard]] bool same_shape(const TiffPage& other) const {
    return rows == other.rows && cols == other.cols && samples == other.samples &&
           type == other.type;
  }
};

/// Advice for a file that ends too soon or contradicts itself.
inline constexpr const char* kDamagedAdvice = "get the file again from its source";

/// All pages of a file's main chain, and what the first one says about the whole.
struct TiffPages {
  std::vector<TiffPage> pages;
  std::string description;
  /// Pixels a unit in TIFF's x (our y) and TIFF's y (our x); 0 when missing.
  double resolution_x = 0.0;
  double resolution_y = 0.0;
  /// 1 none, 2 inch, 3 cm.
  int resolution_unit = 2;
  std::uint64_t file_bytes = 0;
  bool byte_swapped = false;
  /// First page: where its pixels begin when they lie uncompressed in one run, else 0.
  std::uint64_t run_offset = 0;
};

/// Reads the directories, in time as the file is long. Errors: a chain that is broken or endless,
/// more strips or tiles than such a file can list, cancelled.
Result<TiffPages> read_tiff_pages(const TiffFile& file, const JobContext& context = {});

/// Where the pixels of the current directory lie when they are one uncompressed run, else 0.
std::uint64_t contiguous_offset(TIFF* tiff, const TiffPage& page);

}  // namespace aprscope
