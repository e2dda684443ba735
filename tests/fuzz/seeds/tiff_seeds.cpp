#include <cmath>

#include "core/io/write.hpp"
#include "tests/core/io/tiff_maker.hpp"
#include "tests/fuzz/seeds/seeds.hpp"

namespace aprscope::fuzz {
namespace {

using test::CraftedTiff;
using test::PageSpec;
using test::TiffMaker;

// A page of `spec`, of whatever type its bits are.
void add_page(TiffMaker& maker, const PageSpec& spec, unsigned seed) {
  std::vector<std::uint8_t> bytes(std::size_t{spec.cols} * spec.rows *
                                  static_cast<std::size_t>(spec.samples * spec.bits / 8));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(i / 3 + seed);
  }
  maker.add_bytes(spec, bytes.data(), bytes.size());
}

void write_stack(const std::filesystem::path& path, const char* mode, PageSpec spec, int pages) {
  TiffMaker maker(path, mode);
  must(maker.get() != nullptr, path.string());
  for (int page = 0; page < pages; ++page) {
    add_page(maker, spec, static_cast<unsigned>(page));
    spec.description.clear();
  }
}

PageSpec small(int bits = 16) {
  PageSpec spec;
  spec.cols = 9;
  spec.rows = 5;
  spec.rows_per_strip = 2;
  spec.bits = bits;
  if (bits == 32) spec.format = SAMPLEFORMAT_IEEEFP;
  return spec;
}

void write_layouts(const std::filesystem::path& folder) {
  for (const int compression :
       {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_ZSTD,
        COMPRESSION_PACKBITS, COMPRESSION_DEFLATE, COMPRESSION_LZMA}) {
    if (TIFFIsCODECConfigured(static_cast<std::uint16_t>(compression)) == 0) continue;
    for (const bool tiled : {false, true}) {
      PageSpec spec = small();
      spec.compression = compression;
      if (compression == COMPRESSION_LZW || compression == COMPRESSION_ADOBE_DEFLATE) {
        spec.predictor = 2;
      }
      if (tiled) spec.tile_cols = spec.tile_rows = 16;
      write_stack(folder / ("c" + std::to_string(compression) + (tiled ? "t.tif" : "s.tif")), "wl",
                  spec, 2);
    }
  }
  PageSpec floats = small(32);
  floats.compression = COMPRESSION_ADOBE_DEFLATE;
  floats.predictor = 3;
  write_stack(folder / "predicted_float.tif", "wl", floats, 1);
}

void write_types(const std::filesystem::path& folder) {
  for (const int bits : {8, 16, 32, 64}) {
    for (const int format : {SAMPLEFORMAT_UINT, SAMPLEFORMAT_INT, SAMPLEFORMAT_IEEEFP}) {
      if (bits == 8 && format == SAMPLEFORMAT_IEEEFP) continue;
      PageSpec spec = small(bits);
      spec.format = format;
      for (const char* mode : {"wl", "wb", "w8l"}) {
        write_stack(
            folder / ("b" + std::to_string(bits) + "f" + std::to_string(format) + mode + ".tif"),
            mode, spec, 1);
      }
    }
  }
  PageSpec colours = small(8);
  colours.samples = 3;
  write_stack(folder / "rgb.tif", "wl", colours, 1);
  colours.planar = PLANARCONFIG_SEPARATE;
  write_stack(folder / "planar.tif", "wl", colours, 2);
  CraftedTiff bits;
  bits.bits = 1;
  bits.strip_bytes = 3;
  bits.payload = "abc";
  write_seed(folder / "bits.tif", bits.bytes());
}

void write_metadata(const std::filesystem::path& folder) {
  PageSpec spec = small(8);
  spec.x_resolution = spec.y_resolution = 4.0;
  spec.resolution_unit = RESUNIT_CENTIMETER;
  spec.description =
      "ImageJ=1.53t\nimages=8\nchannels=2\nslices=2\nframes=2\nhyperstack=true\nunit=micron\n"
      "spacing=0.5\nxorigin=1\nzorigin=2\n";
  write_stack(folder / "imagej.tif", "wl", spec, 8);
  spec.description =
      R"(<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06">)"
      R"(<Image ID="Image:0"><Pixels ID="Pixels:0" DimensionOrder="XYZCT" Type="uint8" SizeX="9")"
      R"( SizeY="5" SizeZ="2" SizeC="2" SizeT="1" PhysicalSizeX="0.5" PhysicalSizeZ="2">)"
      R"(<Channel ID="Channel:0" Name="one"/><Channel ID="Channel:1"/>)"
      R"(<TiffData IFD="0" PlaneCount="4"/></Pixels></Image></OME>)";
  write_stack(folder / "ome.tif", "wl", spec, 4);
  // One directory for a stack, as ImageJ writes above 4 GB.
  CraftedTiff single;
  single.description = "ImageJ=1.53t\nimages=3\nslices=3\n";
  single.payload = std::string(36, 'p');
  write_seed(folder / "single.tif", single.bytes());
  single.big_endian = true;
  write_seed(folder / "single_big.tif", single.bytes());
  // A reduced copy beside the image.
  TiffMaker maker(folder / "reduced.tif", "wl");
  add_page(maker, small(8), 1);
  PageSpec copy = small(8);
  copy.subfile = FILETYPE_REDUCEDIMAGE;
  add_page(maker, copy, 2);
}

}  // namespace

void write_tiff_seeds(const std::filesystem::path& folder) {
  TIFFSetWarningHandler(nullptr);
  write_layouts(folder);
  write_types(folder);
  write_metadata(folder);
}

void write_psf_seeds(const std::filesystem::path& folder) {
  Volume volume;
  volume.voxel = {2.0, 0.5, 0.5, "µm"};
  Pixels<float> spot({5, 7, 7});
  Pixels<std::uint16_t> beads({7, 13, 13});
  const auto light = [](double z, double x, double y) {
    return std::exp(-(z * z + x * x + y * y) / 3.0);
  };
  for (int z = 0; z < 7; ++z) {
    for (int x = 0; x < 13; ++x) {
      for (int y = 0; y < 13; ++y) {
        const double both = light(z - 3.0, x - 3.0, y - 3.2) + light(z - 3.5, x - 8.0, y - 8.3);
        beads.at(z, x, y) = static_cast<std::uint16_t>(100.0 + 5000.0 * both);
        if (z < 5 && x < 7 && y < 7) {
          spot.at(z, x, y) = static_cast<float>(light(z - 2.0, x - 3.1, y - 3.0));
        }
      }
    }
  }
  volume.pixels = std::move(spot);
  must(write_tiff(volume, folder / "spot.tif").ok(), "spot.tif");
  volume.pixels = std::move(beads);
  must(write_tiff(volume, folder / "beads.tif").ok(), "beads.tif");
  PageSpec spec = small(32);
  write_stack(folder / "plain.tif", "wl", spec, 3);
  spec = small(8);
  write_stack(folder / "bytes.tif", "wl", spec, 5);
}

}  // namespace aprscope::fuzz
