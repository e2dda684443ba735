// Every layout that .apr files come in, made here with plain HDF5 calls from random octrees.
#include "tests/core/io/apr_layouts.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "core/io/apr/apr_file.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

Apr load(const std::filesystem::path& path) {
  auto info = inspect_apr(path);
  EXPECT_TRUE(info.ok()) << (info.ok() ? "" : info.error().message());
  if (!info.ok()) return {};
  auto apr = load_apr(*info, {});
  EXPECT_TRUE(apr.ok()) << (apr.ok() ? "" : apr.error().message());
  return apr.ok() ? *apr : Apr{};
}

void expect_cells(const Apr& apr, const Size3& size, const std::vector<Cell>& cells) {
  ASSERT_NE(apr.access, nullptr);
  const auto [y, ends] = linear_arrays(size, cells);
  EXPECT_EQ(apr.access->size(), size);
  EXPECT_TRUE(std::equal(y.begin(), y.end(), apr.access->particles().y().begin(),
                         apr.access->particles().y().end()));
  EXPECT_TRUE(std::equal(ends.begin(), ends.end(), apr.access->particles().xz_end().begin(),
                         apr.access->particles().xz_end().end()));
}

std::vector<std::uint16_t> u16(const Apr& apr, const std::string& name) {
  const auto field = apr.field(name);
  EXPECT_NE(field, nullptr);
  if (!field) return {};
  const auto* values = std::get_if<std::vector<std::uint16_t>>(&field->values);
  EXPECT_NE(values, nullptr);
  return values == nullptr ? std::vector<std::uint16_t>{} : *values;
}

// Odd and even sizes, planes, lines and the smallest images.
class AprLayouts : public testing::TestWithParam<std::array<int, 3>> {
 protected:
  AprLayouts()
      : size_{GetParam()[0], GetParam()[1], GetParam()[2]},
        cells_(random_cells(size_, 7)),
        file_(folder_ / "made.apr") {}

  TemporaryFolder folder_;
  Size3 size_;
  std::vector<Cell> cells_;
  std::filesystem::path file_;
};

TEST_P(AprLayouts, LinearWithDirtyHighBits) {
  {
    PlainHdf5 file(file_, PlainHdf5::Mode::create);
    file.group(kRoot);
    file.group(kGroup);
    write_sizes(file, kGroup, size_, cells_.size(), 0xABCD0078);
    write_linear(file, size_, cells_);
    file.dataset(kGroup + "/parts", values_of(cells_));
  }
  const Apr apr = load(file_);
  expect_cells(apr, size_, cells_);
  EXPECT_EQ(u16(apr, "parts"), values_of(cells_));
  EXPECT_EQ(apr.name, "a sphere");
  EXPECT_EQ(apr.parameters.rel_error, 0.25F);
  EXPECT_EQ(apr.voxel, (VoxelSize{2.0, 0.5, 0.25, "px"}));
}

TEST_P(AprLayouts, OldWithValuesInQuadOrder) {
  const OldArrays old = old_arrays(size_, cells_);
  {
    PlainHdf5 file(file_, PlainHdf5::Mode::create);
    file.group(kRoot);
    file.group(kGroup);
    write_sizes(file, kGroup, size_, cells_.size(), 0xFFFFFFFF);
    write_old(file, old, kGroup);
    file.dataset(kGroup + "/particle_intensities", values_of(old.order));
    file.attribute(kGroup, "compress_type", 0);
  }
  const Apr apr = load(file_);
  expect_cells(apr, size_, cells_);
  EXPECT_EQ(u16(apr, "particle_intensities"), values_of(cells_));
}

TEST_P(AprLayouts, OldWithValuesInLinearOrder) {
  {
    PlainHdf5 file(file_, PlainHdf5::Mode::create);
    file.group(kRoot);
    file.group(kGroup);
    write_sizes(file, kGroup, size_, cells_.size());
    write_old(file, old_arrays(size_, cells_), kGroup);
    file.dataset(kGroup + "/particle_intensities", values_of(cells_));
    file.attribute(kGroup, "lzxy_order", 1);
  }
  const Apr apr = load(file_);
  expect_cells(apr, size_, cells_);
  EXPECT_EQ(u16(apr, "particle_intensities"), values_of(cells_));
}

TEST_P(AprLayouts, OldestWithItsAttributesOneLevelUp) {
  const OldArrays old = old_arrays(size_, cells_);
  {
    PlainHdf5 file(file_, PlainHdf5::Mode::create);
    file.group(kRoot);
    file.group(kGroup);
    write_sizes(file, kRoot, size_, cells_.size());
    write_old(file, old, kRoot);
    file.dataset(kGroup + "/particle_intensities", values_of(old.order));
    file.attribute(kRoot, "compress_type", 0);
    file.attribute(kRoot, "time_steps", std::uint64_t{0});
  }
  const Apr apr = load(file_);
  expect_cells(apr, size_, cells_);
  EXPECT_EQ(u16(apr, "particle_intensities"), values_of(cells_));
  EXPECT_EQ(apr.parameters.rel_error, 0.25F);
}

INSTANTIATE_TEST_SUITE_P(Sizes, AprLayouts,
                         testing::Values(std::array{13, 21, 18}, std::array{16, 16, 16},
                                         std::array{9, 7, 33}, std::array{1, 19, 22},
                                         std::array{1, 1, 37}, std::array{25, 1, 1},
                                         std::array{1, 1, 1}, std::array{2, 1, 2},
                                         std::array{3, 5, 1}));

// More than 2^16 particles, so that the 16-bit ends of rows wrap around several times.
TEST(AprOldLayout, EndsOfRowsWrapAround) {
  const TemporaryFolder folder;
  const Size3 size{64, 61, 70};
  const auto cells = random_cells(size, 3, 0.997);
  ASSERT_GT(cells.size(), 200000U);
  const OldArrays old = old_arrays(size, cells);
  {
    PlainHdf5 file(folder / "big.apr", PlainHdf5::Mode::create);
    file.group(kRoot);
    file.group(kGroup);
    write_sizes(file, kGroup, size, cells.size());
    write_old(file, old, kGroup);
    file.dataset(kGroup + "/particle_intensities", values_of(old.order));
  }
  const Apr apr = load(folder / "big.apr");
  expect_cells(apr, size, cells);
  EXPECT_EQ(u16(apr, "particle_intensities"), values_of(cells));
}

// The lossy coding as its formula says; the decoded values are those of the formula backwards.
TEST(AprCompressedFields, AreDecoded) {
  const TemporaryFolder folder;
  const Size3 size{8, 8, 8};
  const auto cells = random_cells(size, 5);
  std::vector<std::uint16_t> stored;
  std::vector<std::uint16_t> expected;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const int v = static_cast<int>(i % 150) - 20;
    stored.push_back(static_cast<std::uint16_t>(v >= 0 ? 2 * v : -2 * v - 1));
    const double d = 0.5 * v + 3.2;
    expected.push_back(
        static_cast<std::uint16_t>(d >= 3.2 ? std::lround((d * d / 4 - 2.56) * 2 + 130) : 130));
  }
  const std::vector<float> floats(cells.size(), 2.5F);
  for (const bool own_background : {true, false}) {
    const auto path = folder / (own_background ? "own.apr" : "other.apr");
    {
      PlainHdf5 file(path, PlainHdf5::Mode::create);
      file.group(kRoot);
      file.group(kGroup);
      write_sizes(file, kGroup, size, cells.size());
      write_linear(file, size, cells);
      file.dataset(kGroup + "/particles", stored);
      file.dataset(kGroup + "/scale", floats);
      file.attribute(kGroup, "compress_type", 1);
      file.attribute(kGroup, "quantization_factor", 0.5F);
      if (own_background) file.attribute(kGroup, "compress_background", 130.0F);
      file.attribute(kGroup, "background_intensity_estimate", own_background ? 7.0F : 150.0F);
      file.attribute(kGroup, "noise_sd_estimate", own_background ? 3.0F : 20.0F);
    }
    const Apr apr = load(path);
    EXPECT_EQ(u16(apr, "particles"), expected);
    EXPECT_EQ(std::get<std::vector<float>>(apr.field("scale")->values), floats);
  }
}

TEST(AprCompressedFields, UnknownKindsAreErrors) {
  const TemporaryFolder folder;
  const Size3 size{4, 4, 4};
  const auto cells = random_cells(size, 5);
  PlainHdf5(folder / "x.apr", PlainHdf5::Mode::create).group(kRoot);
  {
    PlainHdf5 file(folder / "x.apr", PlainHdf5::Mode::change);
    file.group(kGroup);
    write_sizes(file, kGroup, size, cells.size());
    write_linear(file, size, cells);
    file.dataset(kGroup + "/particles", values_of(cells));
    file.attribute(kGroup, "compress_type", 9);
  }
  const auto info = inspect_apr(folder / "x.apr");
  ASSERT_FALSE(info.ok());
  EXPECT_NE(info.error().message().find("compression type 9"), std::string::npos);
}

// A big-endian field, which has to be converted, and datasets that are no fields.
TEST(AprFields, OtherByteOrderAndOtherDatasets) {
  const TemporaryFolder folder;
  const Size3 size{4, 6, 4};
  const auto cells = random_cells(size, 5);
  std::vector<std::int32_t> values(cells.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i) * -70001;
  {
    PlainHdf5 file(folder / "x.apr", PlainHdf5::Mode::create);
    file.group(kRoot);
    file.group(kGroup);
    write_sizes(file, kGroup, size, cells.size());
    write_linear(file, size, cells);
    const hsize_t count = values.size();
    const hid_t line = H5Screate_simple(1, &count, nullptr);
    const hid_t big = H5Dcreate2(file.id(), (kGroup + "/big").c_str(), H5T_STD_I32BE, line,
                                 H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GE(H5Dwrite(big, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Dclose(big);
    H5Sclose(line);
    const hsize_t extent[] = {2, 3};
    const hid_t plane = H5Screate_simple(2, extent, nullptr);
    H5Dclose(H5Dcreate2(file.id(), (kGroup + "/thumbnail").c_str(), H5T_STD_U8LE, plane,
                        H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(plane);
  }
  const Apr apr = load(folder / "x.apr");
  ASSERT_EQ(apr.fields.size(), 1U);
  EXPECT_EQ(std::get<std::vector<std::int32_t>>(apr.fields[0]->values), values);
  ASSERT_EQ(apr.history.size(), 1U);
  EXPECT_NE(apr.history[0].find("thumbnail"), std::string::npos);
}

}  // namespace
}  // namespace aprscope::test
