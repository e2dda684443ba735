#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/apr/structure/linear_access.hpp"
#include "tests/fuzz/seeds/seeds.hpp"

namespace aprscope::fuzz {
namespace {

void write_slice_names(const std::filesystem::path& folder) {
  write_seed(folder / "plain", "slice1.tif\nslice2.tif\nslice10.tif\n");
  write_seed(folder / "channels",
             "a_c1_z0001.tif\na_c1_z0002.tif\na_c2_z0001.tif\na_c2_z0002.tif\n");
  write_seed(folder / "times", "T=1,Z=1.tif\nT=1,Z=2.tif\nT=2,Z=1.tif\nT=2,Z=2.tif\n");
  write_seed(folder / "two_images", "a_z1.tif\na_z2.tif\nb3.tif\nb_channel488_z1.tif\n");
  write_seed(folder / "gap", "t1_z1.tif\nt1_z2.tif\nt2_z1.tif\n");
}

void write_words(const std::filesystem::path& folder) {
  const std::string head("\x00\x0c", 2);
  write_seed(folder / "xml",
             head + R"(<?xml version="1.0"?><a b="c"><d>e &amp; f</d><!-- g --></a>)");
  write_seed(folder / "json", head + R"({"a": [1, 2.5, null], "b": {"c": "\u00b5m"}})");
  write_seed(folder / "imagej",
             head + "ImageJ=1.53t\nimages=6\nslices=3\nframes=2\nfinterval=0.5\n");
  // ImageJ's first tag: bytes of the header, of "Info", of two labels; its second: the header,
  // which counts one "info" and two "labl", and the texts in UTF-16.
  std::string tags("\x04\x0c", 2);
  const auto number = [&tags](std::uint32_t n) {
    for (int i = 0; i < 4; ++i) tags += static_cast<char>(n >> (8 * i) & 0xFFU);
  };
  for (const std::uint32_t bytes : {20U, 4U, 2U, 2U}) number(bytes);
  tags +=
      "JIJI"
      "ofni";
  number(1);
  tags += "lbal";
  number(2);
  tags += std::string("h\0i\0a\0b\0", 8);
  write_seed(folder / "tags", tags);
}

// All words of a file of cells but its sum, which the target adds.
void write_cells(const std::filesystem::path& folder) {
  const Size3 size{9, 8, 20};
  const int finest = finest_level(size);
  std::vector<std::uint64_t> words{0x31736c6c65435041U, 7, std::bit_cast<std::uint64_t>(1.5),
                                   std::bit_cast<std::uint64_t>(2.5)};
  words.resize(words.size() + static_cast<std::size_t>(size.z), 5);
  for (int l = 1; l <= finest; ++l) {
    const Size3 grid = level_grid(size, finest, std::min(l, finest - 1));
    words.resize(words.size() + static_cast<std::size_t>(grid.z * grid.x * ((grid.y + 63) / 64)),
                 1);
  }
  std::string bytes("\x01\x08\x07\x13", 4);
  bytes.append(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint64_t));
  write_seed(folder / "sound", bytes);
  write_seed(folder / "cut", bytes.substr(0, bytes.size() / 2));
}

}  // namespace

void write_name_seeds(const std::filesystem::path& root) {
  write_slice_names(root / "slices");
  write_words(root / "words");
  write_cells(root / "cells");
}

}  // namespace aprscope::fuzz
