#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <tiffio.h>

// TIFF files for tests, made by plain libtiff calls or byte by byte.

namespace aprscope::test {

/// How a page is laid out; samples are interleaved in the data that is passed, whatever `planar`.
struct PageSpec {
  std::uint32_t cols = 37;
  std::uint32_t rows = 29;
  int samples = 1;
  int bits = 16;
  int format = SAMPLEFORMAT_UINT;
  int compression = COMPRESSION_NONE;
  int predictor = 0;
  int planar = PLANARCONFIG_CONTIG;
  std::uint32_t tile_cols = 0;
  std::uint32_t tile_rows = 0;
  std::uint32_t rows_per_strip = 7;
  std::string description;
  double x_resolution = 0.0;
  double y_resolution = 0.0;
  int resolution_unit = RESUNIT_NONE;
  std::uint32_t subfile = 0;
};

class TiffMaker {
 public:
  /// `mode` as TIFFOpen's: w, w8 (BigTIFF), with l or b for the byte order.
  TiffMaker(const std::filesystem::path& path, const char* mode)
      : tiff_(TIFFOpen(path.c_str(), mode)) {
    EXPECT_NE(tiff_, nullptr);
  }
  ~TiffMaker() { TIFFClose(tiff_); }
  TiffMaker(const TiffMaker&) = delete;
  TiffMaker& operator=(const TiffMaker&) = delete;

  [[nodiscard]] TIFF* get() const { return tiff_; }

  template <class T>
  void add(const PageSpec& spec, const std::vector<T>& data) {
    add_bytes(spec, reinterpret_cast<const std::uint8_t*>(data.data()), data.size() * sizeof(T));
  }

  void add_bytes(const PageSpec& spec, const std::uint8_t* data, std::size_t bytes) {
    set_fields(spec);
    const std::size_t sample = static_cast<std::size_t>(spec.bits) / 8;
    ASSERT_EQ(bytes, std::size_t{spec.cols} * spec.rows * samples(spec) * sample);
    const bool separate = spec.planar == PLANARCONFIG_SEPARATE;
    const std::size_t planes = separate ? samples(spec) : 1;
    const std::size_t pixel = separate ? sample : sample * samples(spec);
    for (std::size_t plane = 0; plane < planes; ++plane) {
      std::vector<std::uint8_t> image(std::size_t{spec.cols} * spec.rows * pixel);
      for (std::size_t i = 0; i < std::size_t{spec.cols} * spec.rows; ++i) {
        std::memcpy(&image[i * pixel], data + i * sample * samples(spec) + plane * sample, pixel);
      }
      spec.tile_cols != 0 ? write_tiles(spec, image, pixel, plane)
                          : write_rows(spec, image, pixel, plane);
    }
    EXPECT_EQ(TIFFWriteDirectory(tiff_), 1);
  }

  void set_fields(const PageSpec& spec) {
    TIFFSetField(tiff_, TIFFTAG_IMAGEWIDTH, spec.cols);
    TIFFSetField(tiff_, TIFFTAG_IMAGELENGTH, spec.rows);
    TIFFSetField(tiff_, TIFFTAG_SAMPLESPERPIXEL, spec.samples);
    TIFFSetField(tiff_, TIFFTAG_BITSPERSAMPLE, spec.bits);
    TIFFSetField(tiff_, TIFFTAG_SAMPLEFORMAT, spec.format);
    TIFFSetField(tiff_, TIFFTAG_PLANARCONFIG, spec.planar);
    TIFFSetField(tiff_, TIFFTAG_PHOTOMETRIC,
                 spec.samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    if (spec.samples == 4) {
      const std::uint16_t extra[] = {EXTRASAMPLE_UNASSALPHA};
      TIFFSetField(tiff_, TIFFTAG_EXTRASAMPLES, 1, extra);
    }
    EXPECT_EQ(TIFFSetField(tiff_, TIFFTAG_COMPRESSION, spec.compression), 1);
    if (spec.predictor != 0) TIFFSetField(tiff_, TIFFTAG_PREDICTOR, spec.predictor);
    if (spec.tile_cols != 0) {
      TIFFSetField(tiff_, TIFFTAG_TILEWIDTH, spec.tile_cols);
      TIFFSetField(tiff_, TIFFTAG_TILELENGTH, spec.tile_rows);
    } else {
      TIFFSetField(tiff_, TIFFTAG_ROWSPERSTRIP, spec.rows_per_strip);
    }
    if (!spec.description.empty()) {
      TIFFSetField(tiff_, TIFFTAG_IMAGEDESCRIPTION, spec.description.c_str());
    }
    if (spec.x_resolution > 0) {
      TIFFSetField(tiff_, TIFFTAG_XRESOLUTION, spec.x_resolution);
      TIFFSetField(tiff_, TIFFTAG_YRESOLUTION, spec.y_resolution);
      TIFFSetField(tiff_, TIFFTAG_RESOLUTIONUNIT, spec.resolution_unit);
    }
    if (spec.subfile != 0) TIFFSetField(tiff_, TIFFTAG_SUBFILETYPE, spec.subfile);
  }

 private:
  static std::size_t samples(const PageSpec& spec) {
    return static_cast<std::size_t>(spec.samples);
  }

  void write_rows(const PageSpec& spec, std::vector<std::uint8_t>& image, std::size_t pixel,
                  std::size_t plane) {
    for (std::uint32_t row = 0; row < spec.rows; ++row) {
      ASSERT_EQ(TIFFWriteScanline(tiff_, &image[row * spec.cols * pixel], row,
                                  static_cast<std::uint16_t>(plane)),
                1);
    }
  }

  void write_tiles(const PageSpec& spec, const std::vector<std::uint8_t>& image, std::size_t pixel,
                   std::size_t plane) {
    for (std::uint32_t row = 0; row < spec.rows; row += spec.tile_rows) {
      for (std::uint32_t col = 0; col < spec.cols; col += spec.tile_cols) {
        // Padding that must not appear in the image.
        std::vector<std::uint8_t> tile(std::size_t{spec.tile_cols} * spec.tile_rows * pixel, 0xAB);
        const std::size_t cols = std::min(spec.tile_cols, spec.cols - col);
        for (std::uint32_t r = 0; r < std::min(spec.tile_rows, spec.rows - row); ++r) {
          std::memcpy(&tile[r * spec.tile_cols * pixel],
                      &image[((row + r) * std::size_t{spec.cols} + col) * pixel], cols * pixel);
        }
        ASSERT_GT(TIFFWriteTile(tiff_, tile.data(), col, row, 0, static_cast<std::uint16_t>(plane)),
                  0);
      }
    }
  }

  TIFF* tiff_;
};

/// A one-page TIFF file byte by byte: header, directory, description, then `payload` at the place
/// that the directory names. Counts and sizes may lie.
struct CraftedTiff {
  bool big_endian = false;
  std::uint32_t cols = 4;
  std::uint32_t rows = 3;
  std::uint16_t bits = 8;
  std::uint16_t compression = COMPRESSION_NONE;
  std::uint32_t strip_bytes = 12;
  std::string description{};
  std::string payload{};

  [[nodiscard]] std::string bytes() const {
    constexpr std::uint16_t entries = 9;
    constexpr std::uint32_t after = 8 + 2 + entries * 12 + 4;
    std::string text = description.empty() ? std::string() : description + std::string(1, '\0');
    if (text.size() < 5 && !text.empty()) text.resize(5, '\0');  // shorter ones lie in the entry
    std::string out = big_endian ? "MM" : "II";
    put(out, 42, 2);
    put(out, 8, 4);
    put(out, entries, 2);
    const auto entry = [&](std::uint32_t tag, std::uint32_t type, std::uint32_t count,
                           std::uint32_t value) {
      put(out, tag, 2);
      put(out, type, 2);
      put(out, count, 4);
      if (type == 3) {
        put(out, value, 2);
        put(out, 0, 2);
      } else {
        put(out, value, 4);
      }
    };
    entry(256, 4, 1, cols);
    entry(257, 4, 1, rows);
    entry(258, 3, 1, bits);
    entry(259, 3, 1, compression);
    entry(262, 3, 1, 1);
    // An empty description becomes a harmless tag, to keep the number of entries.
    text.empty() ? entry(266, 3, 1, 1)
                 : entry(270, 2, static_cast<std::uint32_t>(text.size()), after);
    entry(273, 4, 1, after + static_cast<std::uint32_t>(text.size()));
    entry(278, 4, 1, rows);
    entry(279, 4, 1, strip_bytes);
    put(out, 0, 4);
    return out + text + payload;
  }

 private:
  void put(std::string& out, std::uint32_t value, int count) const {
    for (int i = 0; i < count; ++i) {
      const int shift = 8 * (big_endian ? count - 1 - i : i);
      out.push_back(static_cast<char>((value >> static_cast<unsigned>(shift)) & 0xFFU));
    }
  }
};

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  // Some file systems wait for the disk when a file is truncated and written anew.
  std::filesystem::remove(path);
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  ASSERT_TRUE(out.good());
}

inline std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace aprscope::test
