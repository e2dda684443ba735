// Folders that are damaged, lead elsewhere or hold what is not read; those of other writers.
#include <fstream>

#include <gtest/gtest.h>

#include "core/io/common/same_file.hpp"
#include "core/io/zarr/zarr_volume.hpp"
#include "tests/core/io/zarr/zarr_fixture.hpp"
#include "tests/core/io/zarr/zarr_packers.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/sanitized.hpp"

namespace aprscope::test {
namespace {

TEST(Zarr, WhatIsNotSupportedIsNamed) {
  const TemporaryFolder folder;
  const auto refused = [&](const Json& more, const std::string& word) {
    auto made = small(folder / "a");
    fs::remove_all(folder / "a");
    made.write_2("<u2", nullptr, ".", more);
    EXPECT_NE(error_of(folder / "a").find(word), std::string::npos)
        << error_of(folder / "a") << " for " << word;
  };
  refused({{"dtype", "<c8"}}, "\"<c8\"");
  refused({{"dtype", "|S7"}}, "\"|S7\"");
  refused({{"dtype", Json::array({Json::array({"r", "|u1"})})}}, "values of type");
  refused({{"compressor", {{"id", "zfpy"}}}}, "\"zfpy\"");
  refused({{"filters", Json::array({{{"id", "delta"}}})}}, "\"delta\"");
  refused({{"shape", {5, 7}}}, "shape and chunks");
  refused({{"chunks", {2, 3, 0}}}, "shape and chunks");
  refused({{"chunks", {1 << 20, 1 << 20, 4}}}, "1 GiB");
  refused({{"shape", {5, 7, 11}}, {"chunks", {500, 700, 1100}}}, "far larger");
  refused({{"shape", {1 << 30, 1 << 30, 1 << 30}}}, "");
  refused({{"shape", {1 << 20, 1 << 20, 100}}, {"chunks", {2, 3, 4}}}, "memory");
  refused({{"fill_value", "abc"}}, "fill value");

  auto made = small(folder / "three");
  const auto refused_3 = [&](const Json& codecs, const Json& more, const std::string& word) {
    fs::remove_all(folder / "three");
    made.write_3("uint16", codecs, more);
    EXPECT_NE(error_of(folder / "three").find(word), std::string::npos)
        << error_of(folder / "three") << " for " << word;
  };
  const Json bytes{{"name", "bytes"}, {"configuration", {{"endian", "little"}}}};
  refused_3(Json::array({bytes, {{"name", "vlen"}}}), Json::object(), "\"vlen\"");
  refused_3(Json::array({{{"name", "zstd"}}, bytes}), Json::object(), "\"zstd\"");
  refused_3(Json::array(), Json::object(), "codecs");
  refused_3(Json::array({bytes}), {{"data_type", "complex64"}}, "complex64");
  refused_3(Json::array({bytes}), {{"chunk_grid", {{"name", "rectangular"}}}}, "rectangular");
  refused_3(
      Json::array({{{"name", "transpose"}, {"configuration", {{"order", {0, 0, 1}}}}}, bytes}),
      Json::object(), "transpose");
  const auto rotated = make_movie(folder / "r.zarr");
  std::string text;
  {
    std::ifstream in(rotated / "zarr.json");
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  for (auto at = text.find("\"type\":\"scale\""); at != std::string::npos;
       at = text.find("\"type\":\"scale\"")) {
    text.replace(at, 14, "\"type\":\"rotation\"");
  }
  write_file(rotated / "zarr.json", text);
  EXPECT_NE(error_of(rotated).find("\"rotation\""), std::string::npos) << error_of(rotated);
  // As the sentence says, its pixels open by name.
  const auto named = load_file(rotated.string() + ":/0");
  ASSERT_TRUE(named.ok()) << named.error().message();
  EXPECT_EQ(std::get<Volume>(*named).voxel.unit, "px");
}

TEST(Zarr, DamagedChunksAreSentencesThatNameTheirFile) {
  const TemporaryFolder folder;
  for (const Packed& codec : {Packed{"zlib", zlib}, Packed{"bz2", bzip2}, Packed{"zstd", zstd},
                              Packed{"lz4", lz4}, Packed{"blosc", blosc}}) {
    for (const int how : {0, 1, 2}) {
      SCOPED_TRACE(testing::Message() << codec.name << " " << how);
      auto made = small(folder / "a");
      fs::remove_all(folder / "a");
      made.pack = [&](const ZarrBytes& plain) {
        // Too short, too long, cut off.
        ZarrBytes other = plain;
        if (how == 0) other.pop_back();
        if (how == 1) other.resize(other.size() + (std::size_t{1} << 21));
        ZarrBytes packed = codec.pack(other);
        if (how == 2) packed.resize(packed.size() / 2);
        return packed;
      };
      made.write_2("<u2", {{"id", codec.name}});
      const std::string error = error_of(folder / "a");
      EXPECT_NE(error.find("0.0.0"), std::string::npos) << error;
    }
  }
}

TEST(Zarr, NothingOutsideOfTheFolderIsRead) {
  const TemporaryFolder folder;
  auto made = small(folder / "outside");
  made.write_2("<u2");
  // By a path in the metadata.
  write_json(folder / "a.zarr/.zgroup", {{"zarr_format", 2}});
  for (const char* path : {"../outside", "/etc", "x/../../outside", "", "."}) {
    write_json(
        folder / "a.zarr/.zattrs",
        {{"multiscales",
          Json::array({{{"version", "0.4"},
                        {"axes", {axis("z", "space"), axis("y", "space"), axis("x", "space")}},
                        {"datasets", Json::array({{{"path", path}}})}}})}});
    EXPECT_NE(error_of(folder / "a.zarr").find("outside"), std::string::npos) << path;
  }
  // By links: of a folder, of a chunk.
  fs::remove(folder / "a.zarr/.zattrs");
  fs::create_directory_symlink(folder / "outside", folder / "a.zarr/link");
  EXPECT_NE(error_of(folder / "a.zarr").find("holds no image"), std::string::npos);
  EXPECT_FALSE(inspect((folder / "a.zarr").string() + ":/link").ok());
  auto inside = small(folder / "b");
  inside.write_2("<u2");
  fs::remove(folder / "b/0.0.0");
  fs::create_symlink(folder / "outside/0.0.0", folder / "b/0.0.0");
  EXPECT_NE(error_of(folder / "b").find("outside"), std::string::npos);
}

TEST(Zarr, WhatWasNotFetchedIsNotAFillValue) {
  const TemporaryFolder folder;
  auto made = small(folder / "a");
  made.write_2("<u2");
  fs::remove(folder / "a/0.0.0");
  fs::create_symlink("../annex/0.0.0", folder / "a/0.0.0");
  EXPECT_NE(error_of(folder / "a").find("is a link to a file that is not there"),
            std::string::npos);
}

TEST(Zarr, APartOfAStoreThatIsNoLevelStandsForItself) {
  const TemporaryFolder folder;
  // A stray group above it is not the image's.
  write_json(folder / ".zgroup", {{"zarr_format", 2}});
  auto made = small(folder / "a");
  made.write_2("<u2");
  const auto info = inspect((folder / "a").string());
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->path, folder / "a");
  EXPECT_EQ(info->dataset, "");
  expect_samples(load_ok(folder / "a"), in_order);
}

TEST(Zarr, MetadataOfPythonAndOfLongTexts) {
  const TemporaryFolder folder;
  auto made = small(folder / "a");
  made.write_2("<u2");
  const std::string text(100000, 'x');
  write_file(folder / "a/.zattrs",
             "{\"nothing\": NaN, \"far\": [-Infinity, Infinity], \"NaN\": \"say \\\"NaN\\\"\", "
             "\"xml\": \"" +
                 text + "\"}");
  expect_samples(load_ok(folder / "a"), in_order);
}

TEST(Zarr, NamedDimensionsThatAreNoneOfOursAreNotGuessed) {
  const TemporaryFolder folder;
  auto made = small(folder / "a");
  made.write_2("<u2");
  write_json(folder / "a/.zattrs", {{"_ARRAY_DIMENSIONS", {"y", "x", "wavelength"}}});
  EXPECT_NE(error_of(folder / "a").find("\"wavelength\""), std::string::npos);
  // Colours are channels.
  write_json(folder / "a/.zattrs", {{"_ARRAY_DIMENSIONS", {"y", "x", "rgb"}}});
  expect_samples(load_ok(folder / "a", {3, 0}), [](std::int64_t, std::int64_t x, std::int64_t y) {
    return sample({x, y, 3});
  });
  // Names that say nothing leave the order.
  write_json(folder / "a/.zattrs", {{"_ARRAY_DIMENSIONS", {"dim_0", "dim_1", "dim_2"}}});
  expect_samples(load_ok(folder / "a"), in_order);
}

TEST(Zarr, NoMoreMemoryThanPixelsForManySmallChunks) {
  const TemporaryFolder folder;
  constexpr std::int64_t kRows = kSanitized ? 200 : 600;
  ZarrArrayMaker<std::uint8_t> made{
      folder / "a", {1, kRows, 700}, {1, 1, 1}, [](const Index&) { return std::uint8_t{1}; }};
  made.leave_out = [](const Index& place) { return place[1] != kRows - 1 || place[2] != 699; };
  made.write_2("|u1");
  const Volume volume = load_ok(folder / "a");
  EXPECT_EQ(volume.value({0, kRows - 1, 699}), 1.0F);
  EXPECT_EQ(volume.value({0, kRows - 1, 698}), 0.0F);
}

TEST(Zarr, AnOutputInsideTheFolderIsTheInput) {
  const TemporaryFolder folder;
  auto made = small(folder / "a.zarr");
  made.write_2("<u2");
  const std::string input = (folder / "a.zarr").string();
  EXPECT_TRUE(is_same_file(folder / "a.zarr/.zattrs", input));
  EXPECT_TRUE(is_same_file(folder / "a.zarr/new/b.apr", input + ":/0"));
  EXPECT_TRUE(is_same_file(folder / "a.zarr", input));
  EXPECT_FALSE(is_same_file(folder / "a.zarr.apr", input));
  EXPECT_FALSE(is_same_file(folder / "b.apr", input));
}

TEST(Zarr, FoldersOfOtherThingsAndMetadataOfNothing) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "pictures/more");
  write_file(folder / "pictures/a.txt", std::string("text"));
  EXPECT_NE(error_of(folder / "pictures").find("holds no image"), std::string::npos);
  write_file(folder / "j/zarr.json", std::string("{"));
  EXPECT_NE(error_of(folder / "j").find("not valid JSON"), std::string::npos);
  write_file(folder / "k/.zarray", std::string(1000, '['));
  EXPECT_NE(error_of(folder / "k").find("nested deeper"), std::string::npos);
  ZarrArrayMaker<std::uint16_t> line{folder / "line", {9}, {4}, sample};
  line.write_2("<u2");
  EXPECT_NE(error_of(folder / "line").find("1 dimensions"), std::string::npos);
}

TEST(Zarr, ChangedMetadataIsNoticed) {
  const TemporaryFolder folder;
  auto made = small(folder / "a");
  made.write_2("<u2");
  const auto info = inspect((folder / "a").string());
  ASSERT_TRUE(info.ok());
  auto slices = open_slices(*info);
  ASSERT_TRUE(slices.ok());
  std::vector<std::uint16_t> slice(7 * 11);
  ASSERT_TRUE((*slices)->read(0, slice.data(), {}).ok());
  write_file(folder / "a/.zarray", std::string("{\"zarr_format\": 2}"));
  EXPECT_FALSE((*slices)->read(1, slice.data(), {}).ok());
}

TEST(Zarr, IntegersThatFloatsDoNotHoldAreVisitedAsTheyAre) {
  const TemporaryFolder folder;
  ZarrArrayMaker<std::int32_t> made{folder / "a", {2, 2, 3}, {1, 2, 2}, [](const Index& at) {
                                      return static_cast<std::int32_t>(16777217 + at[2]);
                                    }};
  made.write_2("<i4");
  const auto info = inspect((folder / "a").string());
  ASSERT_TRUE(info.ok());
  int seen = 0;
  const Status read =
      read_zarr_exactly(*info, {},
                        [&](std::int64_t, std::span<const double> values) -> Status {
                          for (std::size_t i = 0; i < values.size(); ++i) {
                            EXPECT_EQ(values[i], 16777217.0 + static_cast<double>(i % 3));
                          }
                          ++seen;
                          return {};
                        },
                        {});
  EXPECT_TRUE(read.ok());
  EXPECT_EQ(seen, 2);
}

// Arrays of zarr-python, tensorstore and others: read, or refused by the name of what they have.
TEST(Zarr, RealFoldersOfOtherWriters) {
  APRSCOPE_NEEDS_DATA();
  const fs::path root = data_dir() / "formats";
  int read = 0;
  int refused = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string name = entry.path().filename().string();
    if (name != ".zarray" && name != "zarr.json" && name != "attributes.json") continue;
    const fs::path folder = entry.path().parent_path();
    // Their chunks are links that did not survive being packed.
    if (folder.string().find("all_0.6") != std::string::npos) continue;
    SCOPED_TRACE(folder);
    const auto data = load_file(folder.string());
    if (data.ok()) {
      ++read;
      continue;
    }
    ++refused;
    const std::string& what = data.error().what;
    const bool named = what == "has 1 dimensions, not 2 to 5" ||
                       what.find("has values of type") != std::string::npos;
    EXPECT_TRUE(named) << data.error().message();
  }
  EXPECT_GT(read, 15);
  EXPECT_GT(refused, 5);
}

TEST(Zarr, RealArraysHaveTheValuesOfTheirWriter) {
  APRSCOPE_NEEDS_DATA();
  const fs::path root = data_dir() / "formats" / "zarr" / "zarr_v2" / "from_zarr-python/data.zarr";
  for (const char* name :
       {"3d.contiguous.i2", "3d.chunked.i2", "3d.chunked.mixed.i2.C", "3d.chunked.mixed.i2.F"}) {
    SCOPED_TRACE(name);
    const Volume volume = load_ok(root / name);
    EXPECT_EQ(volume.size(), (Size3{3, 3, 3}));
    expect_samples(volume, [](std::int64_t z, std::int64_t x, std::int64_t y) {
      return static_cast<double>(9 * z + 3 * x + y);
    });
  }
}

// Drafts of OME-NGFF 0.6, with their chunk put where its link led.

// Slices of several slabs: chunks of the first are read again by nobody, and have to be those that
// were read all the same.
TEST(Zarr, ChunksThatAreReplacedWhileOthersAreReadAreAnError) {
  const TemporaryFolder folder;
  ZarrArrayMaker<std::uint16_t> made;
  made.folder = folder / "a.zarr";
  made.shape = {40, 512, 512};
  made.chunk = {8, 512, 512};
  made.value = [](const Index& at) { return static_cast<std::uint16_t>(at[0]); };
  made.write_2("<u2");
  const auto info = inspect(made.folder.string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  std::vector<std::uint16_t> slice(std::size_t{512} * 512);
  for (const bool replaced : {false, true}) {
    auto slices = open_slices(*info);
    ASSERT_TRUE(slices.ok()) << slices.error().message();
    ASSERT_TRUE((*slices)->read(0, slice.data(), {}).ok());
    if (replaced) {
      fs::copy_file(made.folder / "0.0.0", folder / "new");
      fs::rename(folder / "new", made.folder / "0.0.0");
    }
    ASSERT_TRUE((*slices)->read(20, slice.data(), {}).ok());
    const Status last = (*slices)->read(39, slice.data(), {});
    EXPECT_EQ(last.ok(), !replaced);
    if (replaced) {
      EXPECT_NE(last.error().message().find("0.0.0"), std::string::npos) << last.error().message();
    }
  }
}

}  // namespace
}  // namespace aprscope::test
