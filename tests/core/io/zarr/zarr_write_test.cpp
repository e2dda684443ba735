// What is written as OME-Zarr: read back, level by level, against means that are taken here; and
// that no half of it is ever left.
#include "core/io/zarr/zarr_write.hpp"

#include <cmath>
#include <fstream>
#include <limits>

#include <nlohmann/json.hpp>

#include "core/io/write.hpp"
#include "tests/core/io/zarr/zarr_fixture.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope::test {
namespace {

template <class T>
Volume numbered(const Size3& size) {
  Pixels<T> pixels(size);
  for (std::size_t i = 0; i < pixels.values.size(); ++i) {
    pixels.values[i] = static_cast<T>(static_cast<double>(i * 2654435761U % 65536) / 1.5);
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = {2.0, 0.5, 0.25, "µm"};
  volume.origin = {10.0, -3.0, 0.125};
  volume.name = "cells";
  volume.channel = "GFP α";
  return volume;
}

// Means of up to eight, from the floats of the level before.
Pixels<float> halved(const Pixels<float>& fine) {
  const auto half = [](std::int64_t n) { return (n + 1) / 2; };
  Pixels<float> coarse({half(fine.size.z), half(fine.size.x), half(fine.size.y)});
  for (std::int64_t z = 0; z < coarse.size.z; ++z) {
    for (std::int64_t x = 0; x < coarse.size.x; ++x) {
      for (std::int64_t y = 0; y < coarse.size.y; ++y) {
        double sum = 0;
        double count = 0;
        for (int corner = 0; corner < 8; ++corner) {
          const Index3 p{2 * z + corner / 4, 2 * x + corner / 2 % 2, 2 * y + corner % 2};
          if (p.z >= fine.size.z || p.x >= fine.size.x || p.y >= fine.size.y) continue;
          sum += fine.at(p.z, p.x, p.y);
          ++count;
        }
        coarse.at(z, x, y) = static_cast<float>(sum / count);
      }
    }
  }
  return coarse;
}

void expect_level(const Volume& level, const Pixels<float>& wanted) {
  ASSERT_EQ(level.size(), wanted.size);
  const bool whole = std::string(level.dtype()) != "f32";
  for (std::int64_t z = 0; z < wanted.size.z; ++z) {
    for (std::int64_t x = 0; x < wanted.size.x; ++x) {
      for (std::int64_t y = 0; y < wanted.size.y; ++y) {
        const float value = wanted.at(z, x, y);
        ASSERT_EQ(level.value({z, x, y}), whole ? std::round(value) : value);
      }
    }
  }
}

class OmeZarrWrite : public testing::TestWithParam<OmeZarrVersion> {
 protected:
  TemporaryFolder folder;
};

INSTANTIATE_TEST_SUITE_P(Versions, OmeZarrWrite,
                         testing::Values(OmeZarrVersion::v04, OmeZarrVersion::v05));

TEST_P(OmeZarrWrite, PixelsAndWhatIsKnownOfThemComeBack) {
  const auto round = [&]<class T>(T) {
    for (const Size3& size :
         {Size3{5, 31, 67}, Size3{1, 200, 130}, Size3{1, 1, 1}, Size3{70, 65, 530}}) {
      const Volume volume = numbered<T>(size);
      const fs::path path = folder / "out.ome.zarr";
      const Status written = write_ome_zarr(volume, path, GetParam());
      ASSERT_TRUE(written.ok()) << written.error().message();
      const Volume back = load_ok(path);
      EXPECT_EQ(std::get<Pixels<T>>(back.pixels).values, std::get<Pixels<T>>(volume.pixels).values);
      EXPECT_EQ(back.voxel, volume.voxel);
      EXPECT_EQ(back.origin, volume.origin);
      EXPECT_EQ(back.channel, volume.channel);
    }
  };
  round(std::uint8_t{});
  round(std::uint16_t{});
  round(float{});
  const auto info = inspect((folder / "out.ome.zarr").string());
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->format, GetParam() == OmeZarrVersion::v04 ? "OME-Zarr 0.4" : "OME-Zarr 0.5");
}

TEST_P(OmeZarrWrite, LevelsAreMeans) {
  const Volume volume = numbered<std::uint16_t>({3, 70, 260});
  const fs::path path = folder / "out.zarr";
  ASSERT_TRUE(write_ome_zarr(volume, path, GetParam()).ok());
  Pixels<float> wanted = volume.to_float();
  int levels = 0;
  for (double factor = 1;; factor *= 2, ++levels) {
    const Volume level = load_ok(path.string() + ":/" + std::to_string(levels));
    expect_level(level, wanted);
    EXPECT_EQ(level.voxel.y, 0.25 * factor);
    EXPECT_EQ(level.voxel.x, 0.5 * factor);
    // Three slices become two, and one.
    EXPECT_EQ(level.voxel.z, 2.0 * std::min(factor, 4.0));
    EXPECT_EQ(level.origin[2], 0.125 + 0.25 * (factor - 1) / 2);
    if (wanted.size.y <= 64) break;
    wanted = halved(wanted);
  }
  EXPECT_EQ(levels, 3);
  EXPECT_FALSE(load_file(path.string() + ":/4").ok());
}

TEST_P(OmeZarrWrite, LevelsOfParticlesAreThoseOfTheirTree) {
  const Apr apr = random_apr({.size = {37, 90, 141}, .seed = 5, .split = 0.55});
  const fs::path path = folder / "out.zarr";
  const Status written = write_ome_zarr(apr, path, GetParam());
  ASSERT_TRUE(written.ok()) << written.error().message();
  const auto values = apr.main_field()->to_float();
  expect_level(load_ok(path), naive_reconstruct(*apr.access, values));
  const auto tree = naive_tree(*apr.access, values, Reduction::mean);
  const int finest = apr.access->level_max();
  for (int k = 1; k <= 2; ++k) {
    const auto wanted = naive_at_level(*apr.access, values, tree, finest - k);
    const Volume level = load_ok(path.string() + ":/" + std::to_string(k));
    ASSERT_EQ(level.size(), wanted.size);
    for (std::size_t i = 0; i < wanted.values.size(); ++i) {
      // Means of the reference are in double precision.
      ASSERT_NEAR(std::get<Pixels<std::uint16_t>>(level.pixels).values[i], wanted.values[i], 0.501);
    }
  }
  EXPECT_FALSE(load_file(path.string() + ":/3").ok());
}

TEST_P(OmeZarrWrite, ZerosTakeNoFiles) {
  Volume volume = numbered<std::uint8_t>({64, 128, 128});
  std::get<Pixels<std::uint8_t>>(volume.pixels).values.assign(std::size_t{64} * 128 * 128, 0);
  ASSERT_TRUE(write_ome_zarr(volume, folder / "out.zarr", GetParam()).ok());
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder / "out.zarr")) {
    files += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_EQ(files, GetParam() == OmeZarrVersion::v04 ? 4 : 3);
  EXPECT_EQ(load_ok(folder / "out.zarr").value({63, 127, 127}), 0.0F);
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST_P(OmeZarrWrite, WhatIsThereIsReplacedWholeOrNotAtAll) {
  const fs::path path = folder / "out.zarr";
  const Volume first = numbered<std::uint16_t>({70, 80, 90});
  const Volume second = numbered<std::uint16_t>({71, 30, 90});
  ASSERT_TRUE(write_ome_zarr(first, path, GetParam()).ok());
  // Cancelled at each step of which there is more than one.
  for (int after = 0; after < 2; ++after) {
    std::stop_source stop;
    int reports = 0;
    const JobContext context(stop.get_token(), [&](double, std::string_view) {
      if (reports++ >= after) stop.request_stop();
    });
    const Status cancelled = write_ome_zarr(second, path, GetParam(), context);
    ASSERT_FALSE(cancelled.ok()) << after;
    EXPECT_TRUE(cancelled.error().cancelled());
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"out.zarr"});
    const Volume left = load_ok(path);
    ASSERT_EQ(left.size(), first.size());
    EXPECT_EQ(std::get<Pixels<std::uint16_t>>(left.pixels).values,
              std::get<Pixels<std::uint16_t>>(first.pixels).values);
  }
  ASSERT_TRUE(write_ome_zarr(second, path, GetParam()).ok());
  EXPECT_EQ(load_ok(path).size(), second.size());
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"out.zarr"});
  // Through a link, what it leads to.
  fs::create_directory_symlink("out.zarr", folder / "link.zarr");
  ASSERT_TRUE(write_ome_zarr(first, folder / "link.zarr", GetParam()).ok());
  EXPECT_TRUE(fs::is_symlink(folder / "link.zarr"));
  EXPECT_EQ(load_ok(path).size(), first.size());
}

TEST_P(OmeZarrWrite, NothingElseIsReplaced) {
  const Volume volume = numbered<std::uint8_t>({3, 4, 5});
  write_file(folder / "file.zarr", std::string("text"));
  write_file(folder / "mine.zarr/thesis.txt", std::string("text"));
  for (const char* name : {"file.zarr", "mine.zarr"}) {
    const Status written = write_ome_zarr(volume, folder / name, GetParam());
    ASSERT_FALSE(written.ok());
    EXPECT_NE(written.error().message().find(name), std::string::npos);
    EXPECT_NE(written.error().message().find("is no folder of OME-Zarr"), std::string::npos);
  }
  EXPECT_TRUE(fs::exists(folder / "mine.zarr/thesis.txt"));
  EXPECT_FALSE(write_ome_zarr(volume, folder / "none/out.zarr", GetParam()).ok());
  fs::create_directory(folder / "empty.zarr");
  EXPECT_TRUE(write_ome_zarr(volume, folder / "empty.zarr", GetParam()).ok());
}

// Labels, a plate, a series of images: their folder looks like that of one image.
TEST_P(OmeZarrWrite, AStoreThatHoldsMoreIsNotReplaced) {
  const Volume volume = numbered<std::uint8_t>({3, 4, 5});
  int number = 0;
  for (const char* more : {"labels/notes.txt", "A/1/.zgroup", "OME/METADATA.ome.xml", "notes.txt",
                           "0/notes.txt", "7/0/.zarray", "7/.zgroup"}) {
    SCOPED_TRACE(more);
    const std::string name = std::to_string(number++) + ".zarr";
    ASSERT_TRUE(write_ome_zarr(volume, folder / name, GetParam()).ok());
    // Replaced as it is, and not with more in it.
    ASSERT_TRUE(write_ome_zarr(volume, folder / name, GetParam()).ok());
    write_file(folder / name / more, std::string("{}"));
    const Status written = write_ome_zarr(volume, folder / name, GetParam());
    ASSERT_FALSE(written.ok());
    const std::string wanted = "more than one image (" + std::string(more).substr(0, 1);
    EXPECT_NE(written.error().message().find(wanted), std::string::npos)
        << written.error().message();
    EXPECT_TRUE(fs::exists(folder / name / more));
  }
}

TEST_P(OmeZarrWrite, WhereNothingIsFiniteTheWindowIsThatOfUnity) {
  Volume volume;
  Pixels<float> pixels({1, 2, 3});
  pixels.values.assign(6, std::numeric_limits<float>::quiet_NaN());
  volume.pixels = std::move(pixels);
  ASSERT_TRUE(write_ome_zarr(volume, folder / "out.zarr", GetParam()).ok());
  const bool old = GetParam() == OmeZarrVersion::v04;
  std::ifstream file(folder / (old ? "out.zarr/.zattrs" : "out.zarr/zarr.json"));
  auto json = nlohmann::json::parse(file);
  if (!old) json = json["attributes"]["ome"];
  EXPECT_EQ(json["omero"]["channels"][0]["window"],
            (nlohmann::json{{"start", 0.0}, {"end", 1.0}, {"min", 0.0}, {"max", 1.0}}));
}

TEST(OmeZarrNames, TheEndingChooses) {
  EXPECT_TRUE(is_zarr_name("a.zarr"));
  EXPECT_TRUE(is_zarr_name("a/b.ome.ZARR"));
  EXPECT_FALSE(is_zarr_name("zarr"));
  EXPECT_FALSE(is_zarr_name("a.zarr.tif"));
  const TemporaryFolder folder;
  const Volume volume = numbered<std::uint8_t>({3, 4, 5});
  ASSERT_TRUE(write_image(volume, folder / "a.ome.zarr").ok());
  EXPECT_EQ(load_ok(folder / "a.ome.zarr").size(), volume.size());
  Labels labels;
  labels.values.resize(60);
  LabelImageFacts facts;
  facts.size = {3, 4, 5};
  const Status refused = write_labels(labels, facts, folder / "b.zarr");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message().find("labels are not written as OME-Zarr"),
            std::string::npos);
}

}  // namespace
}  // namespace aprscope::test
