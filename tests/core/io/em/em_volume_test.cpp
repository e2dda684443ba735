// Maps and stacks of electron microscopy: every way to write a volume gives the same array, and
// files that lie are told.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include <bzlib.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "core/io/common/read_exactly.hpp"
#include "core/io/formats.hpp"
#include "tests/core/io/volume_checks.hpp"
#include "tests/support/em_maker.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

// x fastest: 4 × 3 × 2 (x, y, z), whole numbers below 16 that every mode holds.
constexpr std::array<std::int32_t, 3> kSize{4, 3, 2};
std::vector<float> numbers() {
  std::vector<float> values(24);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>((i * 5) % 16);
  return values;
}
template <class T>
std::vector<T> numbers_as() {
  const auto values = numbers();
  return {values.begin(), values.end()};
}

std::vector<float> values_of(const Volume& volume) { return volume.to_float().values; }

std::string error_of(const fs::path& path) {
  const auto data = load_file(path.string());
  return data ? std::string() : data.error().message();
}

void write_packed(const fs::path& path, const std::string& bytes, bool bzip2) {
  if (bzip2) {
    auto room = static_cast<unsigned>(bytes.size() + bytes.size() / 50 + 600);
    std::string out(room, '\0');
    ASSERT_EQ(BZ2_bzBuffToBuffCompress(out.data(), &room, const_cast<char*>(bytes.data()),
                                       static_cast<unsigned>(bytes.size()), 9, 0, 0),
              BZ_OK);
    out.resize(room);
    write_text_file(path, out);
    return;
  }
  gzFile file = gzopen(path.c_str(), "wb9");
  ASSERT_EQ(gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size())),
            static_cast<int>(bytes.size()));
  gzclose(file);
}

TEST(EmVolume, EveryModeAndByteOrderGivesTheSameArray) {
  const TemporaryFolder folder;
  const std::vector<std::uint16_t> half_bits{0x0000, 0x3C00, 0x4000, 0x4200, 0x4400, 0x4500,
                                             0x4600, 0x4700, 0x4800, 0x4880, 0x4900, 0x4980,
                                             0x4A00, 0x4A80, 0x4B00, 0x4B80};
  std::vector<std::uint16_t> halves;
  for (const float v : numbers()) halves.push_back(half_bits[static_cast<std::size_t>(v)]);
  std::vector<std::uint8_t> nibbles;
  for (std::size_t i = 0; i < 24; i += 2) {
    nibbles.push_back(static_cast<std::uint8_t>(static_cast<int>(numbers()[i]) |
                                                static_cast<int>(numbers()[i + 1]) << 4));
  }
  for (const bool big : {false, true}) {
    const auto expect = [&](const EmMaker& made, const std::string& dtype, std::size_t kind) {
      SCOPED_TRACE(testing::Message() << dtype << (big ? " big" : " little"));
      const fs::path path = folder / "a.mrc";
      made.write(path);
      const auto info = inspect(path.string());
      ASSERT_TRUE(info.ok()) << info.error().message();
      EXPECT_EQ(info->dtype, dtype);
      EXPECT_EQ(info->size, (Size3{2, 3, 4}));
      const Volume volume = must_load(path.string());
      EXPECT_EQ(volume.pixels.index(), kind);
      EXPECT_EQ(values_of(volume), numbers());
      EXPECT_EQ(volume.voxel, (VoxelSize{1.5, 1.5, 1.5, "Å"}));
      std::vector<double> exact;
      EXPECT_TRUE(read_exactly(*info, {},
                               [&](std::int64_t, std::span<const double> slice) {
                                 exact.insert(exact.end(), slice.begin(), slice.end());
                                 return Status{};
                               },
                               {})
                      .ok());
      EXPECT_EQ(exact, numbers_as<double>());
    };
    const auto mrc = [&](std::int32_t mode) { return EmMaker::mrc(kSize, mode, 1.5F, big); };
    expect(mrc(0).append(numbers_as<std::int8_t>()), "i8", 2);
    expect(mrc(0).integer(39, 1146047817).append(numbers_as<std::uint8_t>()), "u8", 0);
    expect(mrc(0).integer(39, 1146047817).integer(40, 1).append(numbers_as<std::int8_t>()), "i8",
           2);
    expect(mrc(1).append(numbers_as<std::int16_t>()), "i16", 2);
    expect(mrc(2).append(numbers_as<float>()), "f32", 2);
    expect(mrc(6).append(numbers_as<std::uint16_t>()), "u16", 1);
    expect(mrc(12).append(halves), "f16", 2);
    expect(mrc(101).append(nibbles), "u4", 0);
    // An extended header, and the mark's older form.
    expect(mrc(2).integer(24, 80).append(std::vector<std::uint8_t>(80, 7)).append(numbers()), "f32",
           2);
  }
}

TEST(EmVolume, SignedBytesAreSigned) {
  const TemporaryFolder folder;
  EmMaker::mrc({2, 1, 1}, 0, 1).append(std::vector<std::int8_t>{-3, 100}).write(folder / "a.mrc");
  EXPECT_EQ(values_of(must_load(folder / "a.mrc")), (std::vector<float>{-3, 100}));
  // Rows of an odd number of 4-bit samples begin at a byte.
  EmMaker::mrc({3, 2, 1}, 101, 1)
      .append(std::vector<std::uint8_t>{0x21, 0x03, 0x54, 0xF6})
      .write(folder / "b.mrc");
  EXPECT_EQ(values_of(must_load(folder / "b.mrc")), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(EmVolume, EveryOrderOfAxesGivesTheSameArray) {
  const TemporaryFolder folder;
  std::array<int, 3> axes{0, 1, 2};
  do {
    SCOPED_TRACE(testing::Message() << axes[0] << axes[1] << axes[2]);
    const auto along = [&](std::size_t i) { return static_cast<std::size_t>(axes[i]); };
    EmMaker made = EmMaker::mrc({kSize[along(0)], kSize[along(1)], kSize[along(2)]}, 2, 1.0F);
    for (std::size_t i = 0; i < 3; ++i) {
      made.integer(17 + i, axes[i] + 1);
      // Cell and intervals go with x, y, z; starts with the stored axes.
      made.integer(8 + i, 10).real(11 + i, 10.0F * static_cast<float>(i + 1));
      made.integer(5 + i, -10 * (axes[i] + 1));
    }
    std::vector<float> stored;
    std::array<std::int32_t, 3> at{};
    for (at[along(2)] = 0; at[along(2)] < kSize[along(2)]; ++at[along(2)]) {
      for (at[along(1)] = 0; at[along(1)] < kSize[along(1)]; ++at[along(1)]) {
        for (at[along(0)] = 0; at[along(0)] < kSize[along(0)]; ++at[along(0)]) {
          stored.push_back(numbers()[static_cast<std::size_t>((at[2] * 3 + at[1]) * 4 + at[0])]);
        }
      }
    }
    made.append(stored).write(folder / "a.map");
    const Volume volume = must_load(folder / "a.map");
    EXPECT_EQ(volume.size(), (Size3{2, 3, 4}));
    EXPECT_EQ(values_of(volume), numbers());
    EXPECT_EQ(volume.voxel, (VoxelSize{3, 2, 1, "Å"}));
    EXPECT_EQ(volume.origin, (std::array<double, 3>{-90, -40, -10}));
    made.real(50, 7).write(folder / "a.map");
    EXPECT_EQ(must_load(folder / "a.map").origin, (std::array<double, 3>{0, 0, 7}));
  } while (std::next_permutation(axes.begin(), axes.end()));
}

TEST(EmVolume, PackedFilesAreTheSame) {
  const TemporaryFolder folder;
  const EmMaker made = EmMaker::mrc(kSize, 2, 1.5F).append(numbers());
  std::string bytes = EmMaker(made).bytes();
  for (const bool bzip2 : {false, true}) {
    const fs::path path = folder / (bzip2 ? "a.map.bz2" : "a.map.gz");
    write_packed(path, bytes, bzip2);
    EXPECT_EQ(values_of(must_load(path.string())), numbers());
    // Members one after the other are one file.
    write_packed(folder / "1", bytes.substr(0, 1030), bzip2);
    write_packed(folder / "2", bytes.substr(1030), bzip2);
    std::string both;
    for (const char* part : {"1", "2"}) {
      std::ifstream in(folder / part, std::ios::binary);
      both.append(std::istreambuf_iterator<char>(in), {});
    }
    write_text_file(path, both);
    EXPECT_EQ(values_of(must_load(path.string())), numbers());
    // A file that claims a gigabyte and packs well is looked through before memory is taken.
    EmMaker bomb = EmMaker::mrc({1024, 1024, 256}, 2, 1.0F);
    bomb.append(std::vector<float>(1000));
    write_packed(path, bomb.bytes(), bzip2);
    EXPECT_NE(error_of(path).find("is cut off"), std::string::npos) << error_of(path);
    write_text_file(path, both.substr(0, both.size() - 30));
    EXPECT_FALSE(error_of(path).empty());
    write_text_file(path, both.substr(0, 20));
    EXPECT_FALSE(error_of(path).empty());
  }
}

TEST(EmVolume, OldFilesAreKnownByWhatMakesSense) {
  const TemporaryFolder folder;
  for (const bool big : {false, true}) {
    EmMaker old = EmMaker::mrc(kSize, 2, 1.5F, big).text(53, std::string(8, '\0'));
    old.append(numbers());
    old.write(folder / "old.mrc");
    EXPECT_EQ(values_of(must_load(folder / "old.mrc")), numbers());
    EXPECT_EQ(inspect((folder / "old.mrc").string())->format_id, "mrc");
    // A byte more, an angle that is none, a mode that is none: of nobody.
    for (const int what : {0, 1, 2, 3}) {
      EmMaker odd = old;
      if (what == 0) odd.bytes() += 'x';
      if (what == 1) odd.real(14, std::nanf(""));
      if (what == 2) odd.integer(4, 5);
      if (what == 3) odd.integer(18, 1);
      odd.write(folder / "odd.mrc");
      EXPECT_NE(error_of(folder / "odd.mrc").find("is not a TIFF"), std::string::npos) << what;
    }
  }
  // Nothing that is not one is taken for one.
  std::uint64_t state = 1;
  for (int i = 0; i < 200; ++i) {
    std::string noise(2000, '\0');
    for (char& c : noise) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      c = static_cast<char>(state >> 56U);
      if (i % 2 == 1) c = static_cast<char>(c & 3);
    }
    write_text_file(folder / "noise.mrc", noise);
    ASSERT_NE(error_of(folder / "noise.mrc").find("is not a TIFF"), std::string::npos);
  }
}

TEST(EmVolume, StacksOfMapsAreTimePointsAndImagesAreSlices) {
  const TemporaryFolder folder;
  std::vector<float> twice = numbers();
  for (const float v : numbers()) twice.push_back(v + 100);
  EmMaker::mrc({4, 3, 4}, 2, 1.0F)
      .integer(10, 2)
      .real(13, 2.0F)
      .integer(23, 401)
      .append(twice)
      .write(folder / "maps.mrc");
  const auto info = inspect((folder / "maps.mrc").string());
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->times, 2);
  EXPECT_EQ(info->size, (Size3{2, 3, 4}));
  EXPECT_EQ(values_of(must_load((folder / "maps.mrc").string(), {0, 1}))[5], numbers()[5] + 100);
  EXPECT_FALSE(load(*info, {0, 2}).ok());
  EXPECT_FALSE(load(*info, {1, 0}).ok());
  EmMaker::mrc({4, 3, 2}, 2, 2.0F)
      .integer(10, 1)
      .real(13, 2.0F)
      .integer(23, 0)
      .append(numbers())
      .write(folder / "images.mrcs");
  EXPECT_EQ(inspect((folder / "images.mrcs").string())->format, "MRC stack");
  EXPECT_EQ(values_of(must_load(folder / "images.mrcs")), numbers());
}

TEST(EmVolume, ACellOfNothingIsNoVoxelSize) {
  const TemporaryFolder folder;
  EmMaker::mrc(kSize, 2, 0.0F).real(50, 5.0F).append(numbers()).write(folder / "a.mrc");
  EXPECT_EQ(must_load(folder / "a.mrc").voxel, VoxelSize{});
  EXPECT_EQ(must_load(folder / "a.mrc").origin, (std::array<double, 3>{0, 0, 0}));
  EmMaker::mrc(kSize, 2, std::nanf("")).append(numbers()).write(folder / "a.mrc");
  EXPECT_EQ(must_load(folder / "a.mrc").voxel, VoxelSize{});
}

TEST(EmVolume, LyingHeadersAreTold) {
  const TemporaryFolder folder;
  const fs::path path = folder / "a.mrc";
  const auto says = [&](const EmMaker& made, const std::string& what) {
    made.write(path);
    EXPECT_NE(error_of(path).find(what), std::string::npos) << error_of(path);
  };
  const auto mrc = [&](std::int32_t mode = 2) {
    return EmMaker::mrc(kSize, mode, 1).append(numbers());
  };
  says(mrc(3), "holds complex numbers (mode 3, a transform)");
  says(mrc(4), "holds complex numbers (mode 4");
  says(mrc(7), "an unknown kind (mode 7)");
  says(mrc().integer(1, -4), "claims an impossible size (-4 × 3 × 2)");
  says(mrc().integer(3, 0), "claims an impossible size (4 × 3 × 0)");
  says(mrc().integer(17, 3), "says that its axes are 3, 2 and 3");
  says(mrc().integer(24, 1000), "is cut off: it holds 0 of 2 sections");
  says(mrc().integer(3, 1000000), "is cut off: it holds 2 of 1000000 sections of 4 × 3");
  says(mrc().integer(1, 1 << 24).integer(2, 1 << 24).integer(3, 1 << 24),
       "claims an impossible size");
  for (std::size_t bytes = 212; bytes < 1120; bytes += 37) {
    EmMaker cut = mrc();
    cut.bytes().resize(bytes);
    cut.write(path);
    EXPECT_FALSE(error_of(path).empty()) << bytes;
  }
}

TEST(EmVolume, Spider) {
  const TemporaryFolder folder;
  const fs::path path = folder / "a.spi";
  for (const bool big : {false, true}) {
    EmMaker::spider({4, 3, 2}, 3, 0, big).append(numbers()).write(path);
    EXPECT_EQ(inspect(path.string())->format_id, "spider");
    EXPECT_EQ(values_of(must_load(path.string())), numbers());
    EXPECT_EQ(must_load(path.string()).voxel, VoxelSize{});
    EmMaker stack = EmMaker::spider({4, 3, 1}, 1, 2, big);
    EmMaker maps = EmMaker::spider({4, 3, 2}, 3, 2, big);
    for (int i = 0; i < 2; ++i) {
      const auto all = numbers();
      stack.append(EmMaker::spider({4, 3, 1}, 1, 0, big));
      stack.append(std::vector<float>(all.begin() + 12 * i, all.begin() + 12 * (i + 1)));
      maps.append(EmMaker::spider({4, 3, 2}, 3, 0, big)).append(all);
    }
    stack.write(path);
    EXPECT_EQ(inspect(path.string())->format, "SPIDER stack");
    EXPECT_EQ(values_of(must_load(path.string())), numbers());
    maps.write(path);
    EXPECT_EQ(inspect(path.string())->times, 2);
    EXPECT_EQ(values_of(must_load(path.string(), {0, 1})), numbers());
  }
  EmMaker::spider({4, 3, 2}, -22, 0).append(numbers()).write(path);
  EXPECT_NE(error_of(path).find("holds complex numbers"), std::string::npos);
  EmMaker::spider({4, 3, 2}, 3, 0).write(path);
  EXPECT_NE(error_of(path).find("is cut off: it holds 0 of 2 sections"), std::string::npos);
  EmMaker::spider({4, 3, 1}, 1, 2).real(26, 0.5F).append(numbers()).write(path);
  EXPECT_NE(error_of(path).find("does not say of how many images"), std::string::npos);
  EmMaker::spider({4, 3, 1}, 1, 2).real(1, 1e7F).real(26, 1.6e7F).real(2, 1e7F).write(path);
  EXPECT_NE(error_of(path).find("claims an impossible size"), std::string::npos);
}

TEST(EmVolume, FilesOfOtherPrograms) {
  APRSCOPE_NEEDS_DATA();
  const fs::path folder = data_dir() / "cryo" / "formats";
  if (!fs::exists(folder)) GTEST_SKIP() << "no cryo/formats in the test data";
  // Axes 3 1 2: 73 columns along z, 43 rows along x, 25 sections along y.
  const Volume packed = must_load(folder / "EMD-3001.map.bz2");
  EXPECT_EQ(packed.size(), (Size3{73, 25, 43}));
  EXPECT_NEAR(packed.voxel.x, 4.71 / 12, 1e-6);
  EXPECT_NEAR(packed.voxel.y, 17.93 / 40, 1e-6);
  EXPECT_NEAR(packed.voxel.z, 33.03 / 72, 1e-6);
  EXPECT_EQ(packed.voxel.unit, "Å");
  EXPECT_NEAR(packed.origin[1], -12 * 4.71 / 12, 1e-5);
  EXPECT_NEAR(packed.origin[2], -21 * 17.93 / 40, 1e-5);
  const Volume other = must_load(folder / "emd_3001.map.gz");
  EXPECT_EQ(values_of(other), values_of(packed));
  // The header's own statistics: least and most of all values.
  const auto all = values_of(packed);
  EXPECT_NEAR(*std::min_element(all.begin(), all.end()), -0.36814296, 1e-6);
  EXPECT_NEAR(*std::max_element(all.begin(), all.end()), 0.72161025, 1e-6);
  const Volume map = must_load(folder / "EMD-3197.map");
  EXPECT_EQ(map.size(), (Size3{20, 20, 20}));
  EXPECT_EQ(map.voxel, (VoxelSize{11.4, 11.4, 11.4, "Å"}));
  EXPECT_NEAR(map.origin[2], -2 * 11.4, 1e-9);
  // One image in three formats, one stack in two.
  const auto image = values_of(must_load(folder / "singleImage.mrc"));
  ASSERT_EQ(image.size(), 9U);
  EXPECT_EQ(values_of(must_load(folder / "singleImage.spi")), image);
  EXPECT_EQ(values_of(must_load(folder / "singleImage_swap.spi")), image);
  const Volume stack = must_load(folder / "smallStack.stk");
  EXPECT_EQ(stack.size(), (Size3{4, 64, 64}));
  EXPECT_EQ(values_of(stack), values_of(must_load(folder / "smallStack.mrcs")));
  EXPECT_EQ(must_load(folder / "smallVolume.vol").size(), (Size3{4, 64, 64}));
  // Without the mark.
  EXPECT_EQ(must_load(folder / "relion31.mrcs").size(), (Size3{5, 256, 256}));
  EXPECT_EQ(must_load(folder / "aspire_65_centered.mrcs").size(), (Size3{4, 65, 65}));
  const std::string broken = error_of(folder / "corrupted.stk");
  EXPECT_NE(broken.find("corrupted.stk: is cut off"), std::string::npos) << broken;
}

}  // namespace
}  // namespace aprscope::test
