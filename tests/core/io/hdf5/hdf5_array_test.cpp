#include "core/io/hdf5/hdf5_array.hpp"

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/hdf5/hdf5_handle.hpp"
#include "tests/core/io/hdf5_maker.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

constexpr std::uint64_t kZ = 19, kX = 70, kY = 90;
// Chunks of 80640 bytes, which end behind the dataset along each dimension; blosc packs them in
// three blocks.
constexpr hsize_t kChunk[] = {8, 63, 80};

// Boxes that begin and end anywhere, as slices and crops ask for them: rows of one chunk and of
// several, from which only some bytes of a chunk need be unpacked.
TEST(Hdf5Array, BoxesAreWhatThePixelsAre) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "boxes.h5";
  std::vector<double> pixels(kZ * kX * kY);
  std::mt19937 random(17);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    pixels[i] = static_cast<double>(i / 16 % 4000 + random() % 16);
  }
  const std::vector<std::pair<std::string, std::function<void(hid_t)>>> filters{
      {"plain", [](hid_t) {}},
      {"deflate",
       [](hid_t c) {
         H5Pset_shuffle(c);
         H5Pset_deflate(c, 3);
       }},
      {"zstd",
       [](hid_t c) {
         ASSERT_TRUE(add_blosc_filter(c, 2, 2 * 8 * 63 * 80, {BloscCodec::zstd, 2}));
       }},
      {"lz4",
       [](hid_t c) {
         ASSERT_TRUE(add_blosc_filter(c, 2, 2 * 8 * 63 * 80, {BloscCodec::lz4, 1}));
       }},
      {"blosc and a checksum", [](hid_t c) {
         ASSERT_TRUE(add_blosc_filter(c, 2, 2 * 8 * 63 * 80, {BloscCodec::lz4hc, 1}));
         H5Pset_fletcher32(c);
       }}};
  {
    const Hdf5Made file(path);
    for (const auto& [name, set] : filters) {
      file.dataset(name.c_str(), H5T_STD_U16LE, {kZ, kX, kY}, pixels, [&, filter = set](hid_t c) {
        H5Pset_chunk(c, 3, kChunk);
        filter(c);
      });
    }
  }
  const auto reader = Hdf5Reader::open(path);
  ASSERT_TRUE(reader.ok()) << reader.error().message();
  for (const auto& [name, set] : filters) {
    SCOPED_TRACE(name);
    const auto array = Hdf5Array::open({*reader, "/" + name});
    ASSERT_TRUE(array.ok()) << array.error().message();
    for (int i = 0; i < 60; ++i) {
      Hdf5Box box;
      for (const std::uint64_t n : {kZ, kX, kY}) {
        box.start.push_back(random() % n);
        const std::uint64_t left = n - box.start.back();
        // A single row or column as often as a wide box.
        box.count.push_back(random() % 2 == 0 ? 1 : 1 + random() % left);
      }
      std::vector<std::uint16_t> own(box.elements());
      std::vector<float> real(box.elements());
      ASSERT_TRUE(array->read(box, NumberType::u16, own.data(), {}).ok());
      ASSERT_TRUE(array->read(box, NumberType::f32, real.data(), {}).ok());
      std::size_t at = 0, wrong = 0;
      for (std::uint64_t z = box.start[0]; z < box.start[0] + box.count[0]; ++z) {
        for (std::uint64_t x = box.start[1]; x < box.start[1] + box.count[1]; ++x) {
          for (std::uint64_t y = box.start[2]; y < box.start[2] + box.count[2]; ++y, ++at) {
            const double expected = pixels[(z * kX + x) * kY + y];
            wrong += own[at] == expected && real[at] == static_cast<float>(expected) ? 0 : 1;
          }
        }
      }
      EXPECT_EQ(wrong, 0U) << "box " << i;
    }
  }
}

}  // namespace
}  // namespace aprscope::test
