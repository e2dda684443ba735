#include "core/io/tiff/tiff_decode.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include <unistd.h>

namespace aprscope {
namespace {

// Strips up to this many bytes are decoded whole, which is faster; larger ones row by row, so that
// memory stays small and a cancel is heeded soon.
constexpr std::int64_t kWholeStrip = 4 << 20;
// A tile has to be decoded whole.
constexpr std::int64_t kLargestTile = 512 << 20;

Error damaged(const TiffFile& file, const TiffPage& page, std::int64_t row) {
  return file.error("is damaged or cut off near row " + std::to_string(row) +
                        " of the page at byte " + std::to_string(page.directory),
                    "get the file again from its source");
}

// Where a page's samples lie in a decoded row.
struct RowLayout {
  std::int64_t first;
  std::int64_t stride;
  std::uint16_t plane;

  RowLayout(const TiffPage& page, int sample)
      : first(page.separate ? 0 : sample),
        stride(page.separate ? 1 : page.samples),
        plane(static_cast<std::uint16_t>(page.separate ? sample : 0)) {}
};

std::int64_t row_bytes(std::int64_t cols, const TiffPage& page) {
  return (cols * (page.separate ? 1 : page.samples) * page.type.bits + 7) / 8;
}

template <class T>
Status read_strips(const TiffFile& file, const TiffPage& page, const RowLayout& layout, T* out,
                   const JobContext& context) {
  TIFF* const tiff = file.get();
  const std::int64_t scanline = row_bytes(page.cols, page);
  if (TIFFScanlineSize64(tiff) != static_cast<std::uint64_t>(scanline)) {
    return damaged(file, page, 0);
  }
  std::uint32_t rows_per_strip = 0;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &rows_per_strip);
  const std::int64_t rows = std::clamp<std::int64_t>(rows_per_strip, 1, page.rows);
  const bool whole = rows * scanline <= kWholeStrip;
  std::vector<std::uint8_t> buffer(static_cast<std::size_t>(whole ? rows * scanline : scanline));
  const std::int64_t step = whole ? rows : 1;
  for (std::int64_t row = 0; row < page.rows; row += step) {
    if (context.stop_requested()) return cancelled_error();
    const std::int64_t count = std::min(step, page.rows - row);
    const auto row32 = static_cast<std::uint32_t>(row);
    if (whole) {
      const std::uint32_t strip = TIFFComputeStrip(tiff, row32, layout.plane);
      const tmsize_t wanted = count * scanline;
      if (TIFFReadEncodedStrip(tiff, strip, buffer.data(), wanted) != wanted) {
        return damaged(file, page, row);
      }
    } else if (TIFFReadScanline(tiff, buffer.data(), row32, layout.plane) != 1) {
      return damaged(file, page, row);
    }
    for (std::int64_t r = 0; r < count; ++r) {
      convert_row(buffer.data() + r * scanline, page.type, layout.first, layout.stride, page.cols,
                  out + (row + r) * page.cols);
    }
  }
  return {};
}

template <class T>
Status read_tiles(const TiffFile& file, const TiffPage& page, const RowLayout& layout, T* out,
                  const JobContext& context) {
  TIFF* const tiff = file.get();
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &width);
  TIFFGetField(tiff, TIFFTAG_TILELENGTH, &height);
  const tmsize_t bytes = TIFFTileSize(tiff);
  if (width == 0 || height == 0 || bytes <= 0 || bytes > kLargestTile ||
      TIFFTileRowSize(tiff) != row_bytes(width, page)) {
    return file.error("has tiles of an impossible size (" + std::to_string(width) + " × " +
                          std::to_string(height) + ")",
                      "save the image again, in strips or smaller tiles");
  }
  std::vector<std::uint8_t> buffer(static_cast<std::size_t>(bytes));
  const std::int64_t tile_row_bytes = TIFFTileRowSize(tiff);
  for (std::int64_t row = 0; row < page.rows; row += height) {
    for (std::int64_t col = 0; col < page.cols; col += width) {
      if (context.stop_requested()) return cancelled_error();
      const std::uint32_t tile = TIFFComputeTile(tiff, static_cast<std::uint32_t>(col),
                                                 static_cast<std::uint32_t>(row), 0, layout.plane);
      if (TIFFReadEncodedTile(tiff, tile, buffer.data(), bytes) != bytes) {
        return damaged(file, page, row);
      }
      const std::int64_t rows = std::min<std::int64_t>(height, page.rows - row);
      const std::int64_t cols = std::min<std::int64_t>(width, page.cols - col);
      for (std::int64_t r = 0; r < rows; ++r) {
        convert_row(buffer.data() + r * tile_row_bytes, page.type, layout.first, layout.stride,
                    cols, out + (row + r) * page.cols + col);
      }
    }
  }
  return {};
}

}  // namespace

template <class T>
Status read_tiff_page(const TiffFile& file, const TiffPage& page, int sample, T* out,
                      const JobContext& context) {
  TIFF* const tiff = file.get();
  if (TIFFSetSubDirectory(tiff, page.directory) == 0) {
    if (Status read = file.reading(); !read) return read;
    return damaged(file, page, 0);
  }
  std::uint16_t compression = COMPRESSION_NONE;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
  // JPEG keeps colours as YCbCr; let the codec give RGB.
  if (compression == COMPRESSION_JPEG && page.samples == 3 && !page.separate) {
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  }
  const RowLayout layout(page, sample);
  Status done = page.tiled ? read_tiles(file, page, layout, out, context)
                           : read_strips(file, page, layout, out, context);
  // The reason behind what the library says, and what it did not notice.
  if (Status read = file.reading(); !read) return read;
  return done;
}

template <class T>
Status read_raw_plane(int descriptor, const std::filesystem::path& path, const TiffPage& page,
                      std::uint64_t offset, bool swap, int sample, T* out,
                      const JobContext& context) {
  const RowLayout layout(page, sample);
  const std::int64_t scanline = row_bytes(page.cols, page);
  const std::int64_t step = std::clamp<std::int64_t>((1 << 20) / scanline, 1, page.rows);
  std::vector<std::uint8_t> buffer(static_cast<std::size_t>(step * scanline));
  for (std::int64_t row = 0; row < page.rows; row += step) {
    if (context.stop_requested()) return cancelled_error();
    const std::int64_t count = std::min(step, page.rows - row);
    const auto wanted = static_cast<std::size_t>(count * scanline);
    std::size_t got = 0;
    while (got < wanted) {
      const auto at = offset + static_cast<std::uint64_t>(row * scanline) + got;
      const ssize_t read =
          ::pread(descriptor, buffer.data() + got, wanted - got, static_cast<off_t>(at));
      if (read < 0 && errno == EINTR) continue;
      if (read <= 0) {
        const std::string reason = read < 0 ? std::strerror(errno) : "the file ends";
        return Error{"cannot be read at byte " + std::to_string(at) + " (" + reason + ")",
                     path.string(), "get the file again from its source"};
      }
      got += static_cast<std::size_t>(read);
    }
    if (swap) {
      const int sample_bytes = page.type.bits / 8;
      swap_bytes(buffer.data(), count * scanline / sample_bytes, sample_bytes);
    }
    for (std::int64_t r = 0; r < count; ++r) {
      convert_row(buffer.data() + r * scanline, page.type, layout.first, layout.stride, page.cols,
                  out + (row + r) * page.cols);
    }
  }
  return {};
}

template Status read_tiff_page(const TiffFile&, const TiffPage&, int, std::uint8_t*,
                               const JobContext&);
template Status read_tiff_page(const TiffFile&, const TiffPage&, int, std::uint16_t*,
                               const JobContext&);
template Status read_tiff_page(const TiffFile&, const TiffPage&, int, float*, const JobContext&);
template Status read_tiff_page(const TiffFile&, const TiffPage&, int, double*, const JobContext&);
template Status read_raw_plane(int, const std::filesystem::path&, const TiffPage&, std::uint64_t,
                               bool, int, std::uint8_t*, const JobContext&);
template Status read_raw_plane(int, const std::filesystem::path&, const TiffPage&, std::uint64_t,
                               bool, int, std::uint16_t*, const JobContext&);
template Status read_raw_plane(int, const std::filesystem::path&, const TiffPage&, std::uint64_t,
                               bool, int, float*, const JobContext&);
template Status read_raw_plane(int, const std::filesystem::path&, const TiffPage&, std::uint64_t,
                               bool, int, double*, const JobContext&);

}  // namespace aprscope
