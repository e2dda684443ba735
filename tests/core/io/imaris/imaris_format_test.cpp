// Images of Imaris, made by the HDF5 library alone.
#include <gtest/gtest.h>

#include "core/io/common/read_exactly.hpp"
#include "tests/core/io/imaris/imaris_fixture.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

class Imaris : public ImarisFiles {};

TEST_F(Imaris, IsOneImageOfChannelsAndTimePoints) {
  two_by_three().write(path());
  const SourceInfo info = must_inspect();
  EXPECT_EQ(info.format_id, "imaris");
  EXPECT_EQ(info.format, "Imaris");
  EXPECT_EQ(info.size, (Size3{5, 6, 7}));
  EXPECT_EQ(info.dtype, "u16");
  EXPECT_EQ(info.times, 3);
  EXPECT_EQ(info.voxel, (VoxelSize{2.0, 0.5, 0.25, "µm"}));
  EXPECT_EQ(info.channels, (std::vector<std::string>{"stain 0", "stain 1"}));
  ASSERT_EQ(info.hints.size(), 2U);
  EXPECT_EQ(info.hints[0], (ChannelHint{Rgb{255, 0, 0}, std::array{0.0, 300.5}}));
  EXPECT_EQ(info.hints[1], (ChannelHint{Rgb{0, 128, 255}, std::array{1.0, 300.5}}));
  EXPECT_TRUE(info.datasets.empty());
  EXPECT_EQ(info.dataset, "");
  EXPECT_EQ(info.file_bytes, fs::file_size(path()));
  for (int c = 0; c < 2; ++c) {
    for (int t = 0; t < 3; ++t) {
      const Volume volume = must_load(path(), {c, t});
      expect_imaris_values(volume, {5, 6, 7}, 0, t, c);
      EXPECT_EQ(volume.voxel, info.voxel);
      EXPECT_EQ(volume.origin, (std::array{11.0, 20.25, 30.125}));
      EXPECT_EQ(volume.name, "a");
      EXPECT_EQ(volume.channel, info.channels[static_cast<std::size_t>(c)]);
      EXPECT_EQ(volume.channel_index, c);
      EXPECT_EQ(volume.time, t);
    }
  }
  for (const SourceSelection beyond : {SourceSelection{2, 0}, {0, 3}, {-1, 0}, {0, -1}}) {
    const auto data = load(info, beyond);
    ASSERT_FALSE(data.ok());
    EXPECT_NE(data.error().message().find("choose channels 0 to 1, time points 0 to 2"),
              std::string::npos);
    EXPECT_FALSE(open_slices(info, beyond).ok());
  }
}

TEST_F(Imaris, LevelsOpenByTheirNumber) {
  two_by_three().write(path());
  const SourceInfo info = must_inspect(":/1");
  EXPECT_EQ(info.format_id, "imaris");
  EXPECT_EQ(info.dataset, "/1");
  const Volume volume = must_load(path() + ":/1", {1, 2});
  expect_imaris_values(volume, {5, 3, 4}, 1, 2, 1);
  EXPECT_EQ(volume.voxel, (VoxelSize{2.0, 1.0, 0.4375, "µm"}));
  EXPECT_EQ(volume.origin, (std::array{11.0, 20.5, 30.21875}));
  expect_imaris_values(must_load(path() + ":/0"), {5, 6, 7}, 0, 0, 0);
  for (const char* level : {":/2", ":/1/1", ":/00"}) {
    const std::string message = error_of(path() + level);
    EXPECT_NE(message.find("has no level"), std::string::npos) << message;
    EXPECT_NE(message.find("choose levels 0 to 1"), std::string::npos) << message;
  }
}

TEST_F(Imaris, ADatasetThatIsNamedIsThatDataset) {
  two_by_three().write(path());
  const std::string name = "/DataSet/ResolutionLevel 0/TimePoint 1/Channel 1/Data";
  const SourceInfo info = must_inspect(":" + name);
  EXPECT_EQ(info.format_id, "hdf5");
  EXPECT_EQ(info.dataset, name);
  EXPECT_EQ(info.size, (Size3{8, 8, 8}));
  const Volume volume = must_load(path() + ":" + name);
  EXPECT_EQ(volume.value({7, 7, 7}), static_cast<float>(ImarisMaker::kPadding));
}

TEST_F(Imaris, ValuesOfAllTypesAndFilters) {
  const auto shuffled = [](hid_t list) {
    const hsize_t chunk[] = {1, 2, 8};
    H5Pset_chunk(list, 3, chunk);
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 6);
  };
  for (const auto& [type, name] : {std::pair{H5T_STD_U8LE, "u8"},
                                   {H5T_STD_U16LE, "u16"},
                                   {H5T_STD_U16BE, "u16"},
                                   {H5T_STD_U32LE, "u32"},
                                   {H5T_IEEE_F32LE, "f32"}}) {
    for (const bool plain : {false, true}) {
      SCOPED_TRACE(testing::Message() << name << (plain ? ", in one piece" : ", in chunks"));
      ImarisMaker maker;
      maker.type = type;
      maker.levels = {{{2, 3, 4}, {2, 4, 8}}};
      if (plain) {
        maker.stored = [](hid_t) {};
      } else {
        maker.stored = shuffled;
      }
      maker.write(path());
      EXPECT_EQ(must_inspect().dtype, name);
      expect_imaris_values(must_load(path()), {2, 3, 4}, 0, 0, 0);
    }
  }
}

TEST_F(Imaris, AttributesMayBeTextsOfAnyKind) {
  for (const ImarisText kept : {ImarisText::characters, ImarisText::text, ImarisText::variable}) {
    ImarisMaker maker = two_by_three();
    maker.kept = kept;
    maker.write(path());
    const SourceInfo info = must_inspect();
    EXPECT_EQ(info.voxel, (VoxelSize{2.0, 0.5, 0.25, "µm"}));
    EXPECT_EQ(info.channels.back(), "stain 1");
    EXPECT_EQ(info.hints.size(), 2U);
    expect_imaris_values(must_load(path(), {1, 1}), {5, 6, 7}, 0, 1, 1);
  }
}

TEST_F(Imaris, AttributesMayBeNumbers) {
  ImarisMaker maker;
  for (const char* name : {"ImageSizeX", "ImageSizeY", "ImageSizeZ"}) {
    maker.texts[kChannel0][name] = "-";
  }
  maker.write(path());
  {
    const hid_t file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t group = H5Gopen2(file, kChannel0, H5P_DEFAULT);
    const hid_t space = H5Screate(H5S_SCALAR);
    int side = 5;
    for (const char* name : {"ImageSizeZ", "ImageSizeY", "ImageSizeX"}) {
      const hid_t made = H5Acreate2(group, name, H5T_STD_U32LE, space, H5P_DEFAULT, H5P_DEFAULT);
      ASSERT_GE(H5Awrite(made, H5T_NATIVE_INT, &side), 0);
      ++side;
      H5Aclose(made);
    }
    H5Sclose(space);
    H5Gclose(group);
    H5Fclose(file);
  }
  expect_imaris_values(must_load(path()), {5, 6, 7}, 0, 0, 0);
}

TEST_F(Imaris, TheExactReadingIsTheSame) {
  ImarisMaker maker = two_by_three();
  maker.type = H5T_STD_U32LE;
  maker.write(path());
  const SourceInfo info = must_inspect();
  std::int64_t slices = 0;
  const Status read = read_exactly(
      info, {1, 2},
      [&](std::int64_t z, std::span<const double> values) -> Status {
        EXPECT_EQ(z, slices++);
        EXPECT_EQ(values.size(), 42U);
        for (std::size_t i = 0; i < values.size(); ++i) {
          EXPECT_EQ(values[i], ImarisMaker::value(0, 2, 1, static_cast<hsize_t>(z), i / 7, i % 7));
        }
        return {};
      },
      {});
  EXPECT_TRUE(read.ok()) << (read ? "" : read.error().message());
  EXPECT_EQ(slices, 5);
}

// By structure, or by what the root says of itself.
TEST_F(Imaris, IsKnownByWhatItHolds) {
  ImarisMaker silent;
  for (const char* name :
       {"ImarisDataSet", "ImarisVersion", "DataSetDirectoryName", "DataSetInfoDirectoryName"}) {
    silent.texts[""][name] = "-";
  }
  silent.write(path());
  EXPECT_EQ(must_inspect().format_id, "imaris");
  {
    const Hdf5Made file(path());
    file.group("DataSet");
    file.dataset("DataSet/v", H5T_STD_U16LE, {3, 4, 5}, std::vector<double>(60, 8));
  }
  EXPECT_EQ(must_inspect().format_id, "hdf5");
}

TEST_F(Imaris, GroupsMayGoByOtherNames) {
  ImarisMaker maker;
  maker.texts[""]["DataSetDirectoryName"] = "Pixels";
  maker.write(path());
  const hid_t file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(H5Lmove(file, "DataSet", file, "Pixels", H5P_DEFAULT, H5P_DEFAULT), 0);
  H5Fclose(file);
  EXPECT_EQ(must_inspect().format_id, "imaris");
  expect_imaris_values(must_load(path()), {5, 6, 7}, 0, 0, 0);
}

}  // namespace
}  // namespace aprscope::test
