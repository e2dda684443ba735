// Pixel images in HDF5 files, made with plain HDF5 calls.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>
#include <hdf5.h>

#include "tests/core/io/tiff_maker.hpp"
#include "tests/core/io/volume_checks.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

class H5Maker {
 public:
  explicit H5Maker(const std::filesystem::path& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {
    EXPECT_GE(file_, 0);
  }
  ~H5Maker() { H5Fclose(file_); }
  H5Maker(const H5Maker&) = delete;
  H5Maker& operator=(const H5Maker&) = delete;

  void group(const char* name) {
    H5Gclose(H5Gcreate2(file_, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }

  /// Values 0, 1, 2 … in memory as doubles, stored as `type`; chunked and deflated when `chunk` is
  /// not empty; not written at all when `fill` is false.
  void dataset(const char* name, hid_t type, const std::vector<hsize_t>& extent,
               const std::vector<hsize_t>& chunk = {}, const std::vector<double>& element_size = {},
               bool fill = true) {
    const auto rank = static_cast<int>(extent.size());
    const hid_t space = H5Screate_simple(rank, extent.data(), nullptr);
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    if (!chunk.empty()) {
      H5Pset_chunk(properties, rank, chunk.data());
      H5Pset_deflate(properties, 1);
    }
    const hid_t set = H5Dcreate2(file_, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    ASSERT_GE(set, 0);
    if (fill) {
      const auto count =
          std::accumulate(extent.begin(), extent.end(), hsize_t{1}, std::multiplies<hsize_t>());
      std::vector<double> values(count);
      std::iota(values.begin(), values.end(), 0.0);
      EXPECT_GE(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    }
    if (!element_size.empty()) {
      const hsize_t n = element_size.size();
      const hid_t attribute_space = H5Screate_simple(1, &n, nullptr);
      const hid_t attribute = H5Acreate2(set, "element_size_um", H5T_IEEE_F32LE, attribute_space,
                                         H5P_DEFAULT, H5P_DEFAULT);
      EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_DOUBLE, element_size.data()), 0);
      H5Aclose(attribute);
      H5Sclose(attribute_space);
    }
    H5Dclose(set);
    H5Pclose(properties);
    H5Sclose(space);
  }

 private:
  hid_t file_;
};

void expect_counting(const std::string& path, SourceSelection selection, const Size3& size,
                     double first) {
  const Volume volume = must_load(path, selection);
  ASSERT_EQ(volume.size(), size);
  std::int64_t wrong = 0;
  double value = first;
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y, value += 1.0) {
        wrong += volume.value({z, x, y}) != static_cast<float>(value);
      }
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST(Hdf5Volume, RealOvule) {
  APRSCOPE_NEEDS_DATA();
  const std::string path = (data_dir() / "fluo/sample_ovule.h5").string();
  const auto info = inspect(path);
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->format, "HDF5");
  std::vector<std::string> names = info->datasets;
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"/label", "/raw"}));
  // The numbers were read with h5py and NumPy.
  const Volume raw = must_load(path + ":/raw");
  ASSERT_EQ(raw.size(), (Size3{32, 128, 128}));
  EXPECT_STREQ(raw.dtype(), "u8");
  EXPECT_EQ(sums(raw).plain, 62957120.0);
  EXPECT_EQ(sums(raw).weighted, 31731604463.0);
  EXPECT_EQ(raw.value({16, 64, 64}), 63);
  EXPECT_EQ(raw.value({10, 20, 30}), 131);
  EXPECT_EQ(raw.value({31, 127, 127}), 127);
  EXPECT_EQ(raw.voxel, (VoxelSize{0.235, 0.15, 0.15, "µm"}));
  const Volume label = must_load(path + ":/label");
  EXPECT_STREQ(label.dtype(), "u16");
  EXPECT_EQ(sums(label).plain, 270355318.0);
  EXPECT_EQ(sums(label).weighted, 136289631004.0);
  EXPECT_EQ(label.value({10, 20, 30}), 850);
}

TEST(Hdf5Volume, ChoosesTheLargestAndListsTheRest) {
  TemporaryFolder folder;
  const auto path = folder / "many.h5";
  {
    H5Maker maker(path);
    maker.group("a");
    maker.group("a/b");
    maker.dataset("small", H5T_STD_U8LE, {2, 3, 4});
    maker.dataset("a/b/large", H5T_STD_U16BE, {5, 6, 7}, {2, 4, 3}, {2.0, 0.5, 0.25});
    maker.dataset("a/line", H5T_STD_U8LE, {1000});
    maker.dataset("a/six", H5T_STD_U8LE, {2, 2, 2, 2, 2, 2});
    maker.dataset("a/flat", H5T_IEEE_F32BE, {4, 5}, {}, {0.5, 0.25});
  }
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->dataset, "/a/b/large");
  EXPECT_EQ(info->dtype, "u16");
  EXPECT_EQ(info->voxel, (VoxelSize{2.0, 0.5, 0.25, "µm"}));
  std::vector<std::string> names = info->datasets;
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"/a/b/large", "/a/flat", "/small"}));
  expect_counting(path.string(), {}, {5, 6, 7}, 0);
  expect_counting(path.string() + ":/small", {}, {2, 3, 4}, 0);
  expect_counting(path.string() + ":/a/flat", {}, {1, 4, 5}, 0);
  EXPECT_EQ(must_load(path.string() + ":/a/flat").voxel, (VoxelSize{0.5, 0.5, 0.25, "µm"}));
  for (const char* wrong : {":/none", ":/a", ":/a/line", ":/a/six"}) {
    const auto missing = inspect(path.string() + wrong);
    ASSERT_FALSE(missing.ok()) << wrong;
    EXPECT_NE(missing.error().message().find(std::string("many.h5") + wrong), std::string::npos)
        << missing.error().message();
  }
}

// Labels come first by name and are as large.
TEST(Hdf5Volume, ProposesTheImageAndNotItsLabels) {
  TemporaryFolder folder;
  const auto path = folder / "labelled.h5";
  {
    H5Maker maker(path);
    maker.dataset("Labels", H5T_STD_U16LE, {3, 4, 5});
    maker.dataset("mask_of_it", H5T_STD_U8LE, {3, 4, 5});
    maker.dataset("raw", H5T_STD_U16LE, {3, 4, 5});
  }
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->dataset, "/raw");
}

TEST(Hdf5Volume, ChannelsAndTimes) {
  TemporaryFolder folder;
  const auto path = folder / "five.h5";
  {
    H5Maker maker(path);
    maker.dataset("five", H5T_STD_I16LE, {3, 2, 4, 5, 6}, {1, 2, 3, 2, 4});
    maker.dataset("four", H5T_STD_U16LE, {2, 4, 5, 6});
  }
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->times, 3);
  EXPECT_EQ(info->channels.size(), 2U);
  EXPECT_EQ(info->dtype, "i16");
  for (int t = 0; t < 3; ++t) {
    for (int c = 0; c < 2; ++c) {
      expect_counting(path.string(), {c, t}, {4, 5, 6}, (2 * t + c) * 120.0);
    }
  }
  expect_counting(path.string() + ":/four", {1, 0}, {4, 5, 6}, 120.0);
  for (const SourceSelection& wrong : {SourceSelection{2, 0}, SourceSelection{0, 3},
                                       SourceSelection{-1, 0}, SourceSelection{0, -1}}) {
    EXPECT_FALSE(load(*info, wrong).ok());
  }
}

TEST(Hdf5Volume, EveryNumericType) {
  TemporaryFolder folder;
  const auto path = folder / "types.h5";
  struct Type {
    hid_t id;
    const char* dtype;
    const char* kept;
  };
  for (const Type& type :
       {Type{H5T_STD_U8LE, "u8", "u8"}, Type{H5T_STD_I8LE, "i8", "f32"},
        Type{H5T_STD_U16BE, "u16", "u16"}, Type{H5T_STD_I16BE, "i16", "f32"},
        Type{H5T_STD_U32LE, "u32", "f32"}, Type{H5T_STD_I32BE, "i32", "f32"},
        Type{H5T_STD_U64LE, "u64", "f32"}, Type{H5T_STD_I64LE, "i64", "f32"},
        Type{H5T_IEEE_F32LE, "f32", "f32"}, Type{H5T_IEEE_F64BE, "f64", "f32"}}) {
    {
      H5Maker maker(path);
      maker.dataset("v", type.id, {3, 4, 5});
    }
    const auto info = inspect(path.string());
    ASSERT_TRUE(info.ok());
    EXPECT_EQ(info->dtype, type.dtype);
    EXPECT_STREQ(must_load(path.string()).dtype(), type.kept);
    expect_counting(path.string(), {}, {3, 4, 5}, 0);
  }
}

TEST(Hdf5Volume, LargerThanOneSlab) {
  TemporaryFolder folder;
  const auto path = folder / "slabs.h5";
  // 12.6 MB as f32; chunks that divide nothing evenly.
  for (const std::vector<hsize_t>& chunk :
       {std::vector<hsize_t>{}, std::vector<hsize_t>{7, 100, 33},
        std::vector<hsize_t>{90, 9, 350}}) {
    {
      H5Maker maker(path);
      maker.dataset("v", H5T_IEEE_F32LE, {90, 100, 350}, chunk);
    }
    expect_counting(path.string(), {}, {90, 100, 350}, 0);
  }
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok());
  std::stop_source source;
  const JobContext context(source.get_token(),
                           [&](double, std::string_view) { source.request_stop(); });
  const auto data = load(*info, {}, context);
  ASSERT_FALSE(data.ok());
  EXPECT_TRUE(data.error().cancelled());
}

TEST(Hdf5Volume, SizesThatTheFileCannotHold) {
  TemporaryFolder folder;
  const auto path = folder / "claims.h5";
  for (const std::vector<hsize_t>& chunk :
       {std::vector<hsize_t>{}, std::vector<hsize_t>{64, 64, 64}}) {
    {
      H5Maker maker(path);
      maker.dataset("v", H5T_STD_U16LE, {5000, 60000, 60000}, chunk, {}, false);
    }
    const auto info = inspect(path.string());
    ASSERT_FALSE(info.ok());
    EXPECT_NE(info.error().message().find("claims.h5"), std::string::npos);
    EXPECT_NE(info.error().message().find("5000 × 60000 × 60000"), std::string::npos)
        << info.error().message();
  }
}

// One dataset that cannot be read must not keep the others from being listed and read.
// Found by fuzzing: a few bytes had the reader take as much memory as a chunk claims to need.
TEST(Hdf5Volume, ChunksFarLargerThanTheImageAreRefused) {
  TemporaryFolder folder;
  const auto path = folder / "grows.h5";
  const auto write = [&](const std::vector<hsize_t>& chunk) {
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const std::vector<hsize_t> extent{2, 3, 4};
    const std::vector<hsize_t> most(3, H5S_UNLIMITED);
    const hid_t space = H5Screate_simple(3, extent.data(), most.data());
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 3, chunk.data());
    H5Pset_deflate(creation, 1);
    const hid_t set =
        H5Dcreate2(file, "image", H5T_STD_U16LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    ASSERT_GE(set, 0);
    if (chunk[0] < 64) {
      const std::vector<std::uint16_t> values(24, 7);
      ASSERT_GE(H5Dwrite(set, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    }
    H5Dclose(set);
    H5Pclose(creation);
    H5Sclose(space);
    H5Fclose(file);
  };
  write({32, 64, 64});
  const auto grown = load_file(path.string());
  ASSERT_TRUE(grown.ok()) << grown.error().message();
  EXPECT_EQ(std::get<Volume>(*grown).value({1, 2, 3}), 7.0F);
  write({1024, 1024, 512});
  const auto refused = load_file(path.string());
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message().find("its chunks are far larger than all of it"),
            std::string::npos)
      << refused.error().message();
}

TEST(Hdf5Volume, ChoosesTheLargestThatCanBeRead) {
  TemporaryFolder folder;
  const auto path = folder / "mixed.h5";
  {
    H5Maker maker(path);
    maker.dataset("claims", H5T_STD_U16LE, {5000, 60000, 60000}, {64, 64, 64}, {}, false);
    maker.dataset("image", H5T_STD_U16LE, {5, 6, 7});
    maker.dataset("small", H5T_STD_U16LE, {2, 2, 2});
  }
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->dataset, "/image");
  EXPECT_EQ(info->datasets.size(), 3U);
  expect_counting(path.string(), {}, {5, 6, 7}, 0);
  EXPECT_FALSE(inspect(path.string() + ":/claims").ok());
}

TEST(Hdf5Volume, ZeroSlicesAndNoImages) {
  TemporaryFolder folder;
  const auto path = folder / "nothing.h5";
  { H5Maker maker(path); }
  const auto none = inspect(path.string());
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().message().find("holds no image"), std::string::npos);
  {
    H5Maker maker(path);
    maker.dataset("v", H5T_STD_U16LE, {0, 6, 6}, {1, 2, 2}, {}, false);
  }
  const auto zero = inspect(path.string());
  ASSERT_FALSE(zero.ok());
  EXPECT_NE(zero.error().message().find("nothing.h5"), std::string::npos);
}

TEST(Hdf5Volume, DamagedChunksAreAnError) {
  TemporaryFolder folder;
  const auto path = folder / "damaged.h5";
  {
    H5Maker maker(path);
    maker.dataset("v", H5T_STD_U16LE, {30, 30, 30}, {10, 30, 30});
  }
  std::string bytes = read_bytes(path);
  // Deflate streams of level 1 begin with 78 01.
  std::size_t hits = 0;
  for (auto at = bytes.find("\x78\x01"); at != std::string::npos;
       at = bytes.find("\x78\x01", at + 1), ++hits) {
    for (std::size_t i = at + 10; i < std::min(at + 60, bytes.size()); ++i) bytes[i] = '\x55';
  }
  ASSERT_GE(hits, 3U);
  write_bytes(path, bytes);
  testing::internal::CaptureStderr();
  const auto data = load_file(path.string());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_FALSE(data.ok());
  EXPECT_NE(data.error().message().find("damaged.h5:/v"), std::string::npos)
      << data.error().message();
}

TEST(Hdf5Volume, ChunksThatClaimToSkipTheirFilterAreAnError) {
  // The library would copy a whole chunk out of the shorter stored bytes.
  TemporaryFolder folder;
  const auto path = folder / "mask.h5";
  {
    H5Maker maker(path);
    maker.dataset("v", H5T_STD_U16LE, {30, 30, 30}, {10, 30, 30});
  }
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t set = H5Dopen2(file, "v", H5P_DEFAULT);
  const hsize_t at[] = {10, 0, 0};
  const std::vector<std::uint8_t> few(100, 7);
  ASSERT_GE(H5Dwrite_chunk(set, H5P_DEFAULT, 1U, at, few.size(), few.data()), 0);
  H5Dclose(set);
  H5Fclose(file);
  const auto data = load_file(path.string());
  ASSERT_FALSE(data.ok());
  EXPECT_NE(data.error().message().find("mask.h5:/v"), std::string::npos) << data.error().message();
}

TEST(Hdf5Volume, DatasetOfATiff) {
  TemporaryFolder folder;
  const auto path = folder / "image.tif";
  write_bytes(path, CraftedTiff{.payload = std::string(12, 'x')}.bytes());
  const auto info = inspect(path.string() + ":/raw");
  ASSERT_FALSE(info.ok());
  EXPECT_NE(info.error().message().find("has no dataset /raw"), std::string::npos);
}

}  // namespace
}  // namespace aprscope::test
