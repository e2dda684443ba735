#include "core/io/tiff/tiff_pages.hpp"

#include <algorithm>

#include "core/base/memory_error.hpp"

namespace aprscope {
namespace {

// How often what the pages say may be read before the file counts as made to harm: pages that share
// a table or a text make work that grows with the square of the file. Small things are shared by
// honest programs, too.
constexpr std::uint64_t kMostReadings = 4;
constexpr std::uint64_t kFewBytes = 16U << 20U;

// Upper bounds of decoded ÷ stored bytes: a page that claims more is damaged or made to harm.
double largest_ratio(int compression) {
  switch (compression) {
    case COMPRESSION_NONE:
      return 1.0;
    case COMPRESSION_PACKBITS:
      return 64.0;  // 128 bytes from 2
    case COMPRESSION_LZW:
      return 2800.0;  // at most 4096-byte strings from 12-bit codes
    case COMPRESSION_ADOBE_DEFLATE:
    case COMPRESSION_DEFLATE:
      return 1032.0;  // 258 bytes from 2 bits
    case COMPRESSION_ZSTD:
      return 43691.0;  // blocks of 128 kB from 3 bytes
    default:
      return 1e6;
  }
}

template <class T>
T field(TIFF* tiff, std::uint32_t tag, T fallback) {
  T value = fallback;
  return TIFFGetFieldDefaulted(tiff, tag, &value) == 1 ? value : fallback;
}

std::string sample_problem(TIFF* tiff, TiffPage& page) {
  const int bits = field<std::uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE, 1);
  page.type.bits = bits;
  switch (field<std::uint16_t>(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT)) {
    case SAMPLEFORMAT_UINT:
    case SAMPLEFORMAT_VOID:
      page.type.kind = SampleType::Kind::unsigned_integer;
      break;
    case SAMPLEFORMAT_INT:
      page.type.kind = SampleType::Kind::signed_integer;
      break;
    case SAMPLEFORMAT_IEEEFP:
      page.type.kind = SampleType::Kind::floating;
      break;
    default:
      return "has complex samples, which are not supported";
  }
  if (!supported(page.type)) {
    return "has samples of type " + dtype_name(page.type) + ", which is not supported";
  }
  return {};
}

std::string coding_problem(TIFF* tiff, int compression) {
  if (TIFFIsCODECConfigured(static_cast<std::uint16_t>(compression)) == 0) {
    return "uses compression scheme " + std::to_string(compression) + ", which is not supported";
  }
  if (field<std::uint32_t>(tiff, TIFFTAG_IMAGEDEPTH, 1) > 1) {
    return "stores volumes as one page (ImageDepth), which is not supported";
  }
  const int photometric = field<std::uint16_t>(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
  if (photometric == PHOTOMETRIC_YCBCR && compression != COMPRESSION_JPEG) {
    std::uint16_t horizontal = 1;
    std::uint16_t vertical = 1;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_YCBCRSUBSAMPLING, &horizontal, &vertical);
    if (horizontal != 1 || vertical != 1) return "has subsampled colours, which are not supported";
  }
  return {};
}

// Strips or tiles of the current page.
std::uint32_t pieces_of(TIFF* tiff) {
  return TIFFIsTiled(tiff) != 0 ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff);
}

// Decoded size against what the file holds of the page's strips or tiles.
std::string size_problem(TIFF* tiff, TiffPage& page, int compression, std::uint64_t file_bytes) {
  const std::uint64_t per_row =
      page.separate ? 1U : static_cast<std::uint64_t>(std::max(page.samples, 1));
  std::uint64_t row_bits = 0;
  if (page.rows <= 0 || page.cols <= 0 || page.samples <= 0) return "has no pixels";
  const bool overflow =
      __builtin_mul_overflow(static_cast<std::uint64_t>(page.cols), per_row, &row_bits) ||
      __builtin_mul_overflow(row_bits, static_cast<std::uint64_t>(page.type.bits), &row_bits) ||
      row_bits > UINT64_MAX - 7 ||
      __builtin_mul_overflow((row_bits + 7) / 8, static_cast<std::uint64_t>(page.rows),
                             &page.pixel_bytes) ||
      (page.separate &&
       __builtin_mul_overflow(page.pixel_bytes, static_cast<std::uint64_t>(page.samples),
                              &page.pixel_bytes));
  if (overflow) return "claims an impossible size";

  const std::uint32_t pieces = pieces_of(tiff);
  std::uint64_t stored = 0;
  for (std::uint32_t i = 0; i < pieces; ++i) {
    const std::uint64_t offset = TIFFGetStrileOffset(tiff, i);
    const std::uint64_t count = TIFFGetStrileByteCount(tiff, i);
    if (offset < file_bytes) stored += std::min(count, file_bytes - offset);
  }
  // Pieces that overlap do not make the file larger.
  stored = std::min(stored, file_bytes);
  if (static_cast<double>(page.pixel_bytes) >
      static_cast<double>(stored) * largest_ratio(compression)) {
    return "claims " + std::to_string(page.cols) + " × " + std::to_string(page.rows) + " pixels (" +
           std::to_string(page.pixel_bytes) + " bytes), but the file holds only " +
           std::to_string(stored) + " bytes of them";
  }
  return {};
}

TiffPage read_page(TIFF* tiff, std::uint64_t file_bytes) {
  TiffPage page;
  page.directory = TIFFCurrentDirOffset(tiff);
  page.rows = field<std::uint32_t>(tiff, TIFFTAG_IMAGELENGTH, 0);
  page.cols = field<std::uint32_t>(tiff, TIFFTAG_IMAGEWIDTH, 0);
  page.samples = field<std::uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  page.tiled = TIFFIsTiled(tiff) != 0;
  const auto planar = field<std::uint16_t>(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  page.separate = planar == PLANARCONFIG_SEPARATE && page.samples > 1;
  const auto subfile = field<std::uint32_t>(tiff, TIFFTAG_SUBFILETYPE, 0);
  const auto old_subfile = field<std::uint16_t>(tiff, TIFFTAG_OSUBFILETYPE, 0);
  page.reduced = (subfile & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) != 0 ||
                 old_subfile == OFILETYPE_REDUCEDIMAGE;
  const int compression = field<std::uint16_t>(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  page.compressed = compression != COMPRESSION_NONE;
  page.problem = sample_problem(tiff, page);
  if (page.problem.empty()) page.problem = coding_problem(tiff, compression);
  if (!page.problem.empty()) {
    page.advice = "save it as an 8 bit, 16 bit or float TIFF with the program it comes from";
    return page;
  }
  page.problem = size_problem(tiff, page, compression, file_bytes);
  if (!page.problem.empty()) page.advice = kDamagedAdvice;
  return page;
}

}  // namespace

std::uint64_t contiguous_offset(TIFF* tiff, const TiffPage& page) {
  if (page.compressed || page.tiled || page.separate || page.type.bits % 8 != 0) return 0;
  const std::uint32_t strips = TIFFNumberOfStrips(tiff);
  std::uint64_t end = TIFFGetStrileOffset(tiff, 0);
  for (std::uint32_t i = 0; i < strips; ++i) {
    if (TIFFGetStrileOffset(tiff, i) != end) return 0;
    end += TIFFGetStrileByteCount(tiff, i);
  }
  return TIFFGetStrileOffset(tiff, 0);
}

Result<TiffPages> read_tiff_pages(const TiffFile& file, const JobContext& context) {
  TIFF* const tiff = file.get();
  TiffPages all;
  all.file_bytes = file.bytes();
  all.byte_swapped = TIFFIsByteSwapped(tiff) != 0;
  const char* description = nullptr;
  if (TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &description) == 1) {
    // The tag is there, but no memory for its text, which libtiff does not report.
    if (description == nullptr) return memory_error(file.path().string());
    all.description = description;
  }
  all.resolution_x = static_cast<double>(field<float>(tiff, TIFFTAG_XRESOLUTION, 0.0F));
  all.resolution_y = static_cast<double>(field<float>(tiff, TIFFTAG_YRESOLUTION, 0.0F));
  all.resolution_unit = field<std::uint16_t>(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
  std::uint64_t pieces = 0;
  while (true) {
    if (context.stop_requested()) return cancelled_error();
    // Each strip takes at least two bytes in a table of offsets and two in one of byte counts.
    pieces += pieces_of(tiff);
    if (pieces > all.file_bytes / 4 ||
        file.bytes_read() > kMostReadings * all.file_bytes + kFewBytes) {
      return Error{"has pages that share tables or texts: up to page " +
                       std::to_string(all.pages.size() + 1) + " they list " +
                       std::to_string(pieces) + " strips or tiles, more than a file of " +
                       std::to_string(all.file_bytes) + " bytes holds",
                   file.path().string(), kDamagedAdvice};
    }
    all.pages.push_back(read_page(tiff, all.file_bytes));
    // A table of strips that there was no memory for, or that could not be read, looks like an
    // empty one.
    if (file.out_of_memory()) return file.error("", "");
    if (Status read = file.reading(); !read) return read.error();
    if (all.pages.size() == 1) all.run_offset = contiguous_offset(tiff, all.pages.front());
    if (TIFFLastDirectory(tiff) != 0) return all;
    const bool there = TIFFReadDirectory(tiff) != 0;
    if (Status read = file.reading(); !read) return read.error();
    if (!there) {
      return file.error(
          "is damaged or cut off: page " + std::to_string(all.pages.size() + 1) + " cannot be read",
          kDamagedAdvice);
    }
  }
}

}  // namespace aprscope
