// Several channels and time points in one OME-Zarr: values, axes and looks come back, only one part
// is in memory at a time, and what cannot be one image leaves nothing.
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/io/zarr/zarr_write.hpp"
#include "tests/core/io/zarr/zarr_fixture.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope::test {
namespace {

constexpr Size3 kFilm{5, 30, 130};

// Values that tell channel, time and place apart.
Volume film_part(int channel, int time) {
  Pixels<std::uint16_t> pixels(kFilm);
  for (std::int64_t z = 0; z < kFilm.z; ++z) {
    for (std::int64_t x = 0; x < kFilm.x; ++x) {
      for (std::int64_t y = 0; y < kFilm.y; ++y) {
        pixels.at(z, x, y) = sample({time, channel, z, x, y});
      }
    }
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = {2.0, 0.5, 0.25, "µm"};
  volume.origin = {1.0, 2.0, 3.0};
  volume.name = "film";
  volume.channel = channel == 0 ? "GFP α" : "mCherry";
  volume.channel_index = channel;
  volume.time = time;
  return volume;
}

OmeZarrSeries film_series() {
  OmeZarrSeries series;
  series.channels = {{"", {Rgb{0, 255, 16}, std::array<double, 2>{10.0, 4000.5}}, true},
                     {"red one", {Rgb{255, 0, 171}, std::nullopt}, false}};
  series.times = 3;
  return series;
}

Result<OmeZarrPart> make_film(int channel, int time, const JobContext& /*context*/) {
  return OmeZarrPart(std::make_shared<const Volume>(film_part(channel, time)));
}

class OmeZarrSeriesWrite : public testing::TestWithParam<OmeZarrVersion> {
 protected:
  [[nodiscard]] nlohmann::json metadata(const fs::path& path) const {
    const bool old = GetParam() == OmeZarrVersion::v04;
    std::ifstream file(path / (old ? ".zattrs" : "zarr.json"));
    auto json = nlohmann::json::parse(file);
    return old ? json : json["attributes"]["ome"];
  }
  [[nodiscard]] nlohmann::json array(const fs::path& path) const {
    std::ifstream file(path / (GetParam() == OmeZarrVersion::v04 ? ".zarray" : "zarr.json"));
    return nlohmann::json::parse(file);
  }
  TemporaryFolder folder;
};

INSTANTIATE_TEST_SUITE_P(Versions, OmeZarrSeriesWrite,
                         testing::Values(OmeZarrVersion::v04, OmeZarrVersion::v05));

std::vector<std::string> names_of(const nlohmann::json& axes) {
  std::vector<std::string> names;
  for (const auto& axis : axes) names.push_back(axis["name"]);
  return names;
}

TEST_P(OmeZarrSeriesWrite, AllPartsAndTheirLooksComeBack) {
  const fs::path path = folder / "film.ome.zarr";
  const Status written = write_ome_zarr(film_series(), make_film, path, GetParam());
  ASSERT_TRUE(written.ok()) << written.error().message();
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok()) << info.error().message();
  EXPECT_EQ(info->channels, (std::vector<std::string>{"GFP α", "red one"}));
  EXPECT_EQ(info->times, 3);
  EXPECT_EQ(info->size, kFilm);
  EXPECT_EQ(info->dtype, "u16");
  ASSERT_EQ(info->hints.size(), 2U);
  EXPECT_EQ(info->hints[0], film_series().channels[0].look);
  EXPECT_EQ(info->hints[1].colour, (Rgb{255, 0, 171}));
  std::array<double, 2> range{65535.0, 0.0};
  for (int time = 0; time < 3; ++time) {
    for (int channel = 0; channel < 2; ++channel) {
      const Volume wanted = film_part(channel, time);
      const Volume back = load_ok(path, {channel, time});
      const auto& values = std::get<Pixels<std::uint16_t>>(wanted.pixels).values;
      EXPECT_EQ(std::get<Pixels<std::uint16_t>>(back.pixels).values, values);
      EXPECT_EQ(back.voxel, wanted.voxel);
      EXPECT_EQ(back.origin, wanted.origin);
      if (channel == 0) continue;
      for (const double v : values) range = {std::min(range[0], v), std::max(range[1], v)};
    }
  }
  // Without a window of its own: the range of all time points.
  EXPECT_EQ(info->hints[1].window, range);
  const auto omero = metadata(path)["omero"];
  EXPECT_EQ(omero["channels"][0]["active"], true);
  EXPECT_EQ(omero["channels"][1]["active"], false);
  EXPECT_EQ(omero["channels"][0]["color"], "00FF10");
  EXPECT_EQ(omero["rdefs"]["model"], "color");
}

TEST_P(OmeZarrSeriesWrite, LevelsOfEachPartAreItsMeans) {
  const fs::path path = folder / "film.zarr";
  ASSERT_TRUE(write_ome_zarr(film_series(), make_film, path, GetParam()).ok());
  for (const auto& [channel, time] : {std::pair{0, 2}, {1, 0}, {1, 1}}) {
    const Volume fine = film_part(channel, time);
    const Volume coarse = load_ok(path.string() + ":/1", {channel, time});
    ASSERT_EQ(coarse.size(), (Size3{3, 15, 65}));
    EXPECT_EQ(coarse.voxel.y, 0.5);
    expect_samples(coarse, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
      double sum = 0;
      int count = 0;
      for (std::int64_t i = 2 * z; i < std::min<std::int64_t>(2 * z + 2, kFilm.z); ++i) {
        for (std::int64_t k = 0; k < 4; ++k) {
          sum += fine.value({i, 2 * x + k / 2, 2 * y + k % 2});
          ++count;
        }
      }
      return std::round(sum / count);
    });
  }
}

TEST_P(OmeZarrSeriesWrite, TimeIsAnAxisWhereThereAreSeveral) {
  OmeZarrSeries series = film_series();
  ASSERT_TRUE(write_ome_zarr(series, make_film, folder / "film.zarr", GetParam()).ok());
  series.times = 1;
  ASSERT_TRUE(write_ome_zarr(series, make_film, folder / "still.zarr", GetParam()).ok());
  const bool old = GetParam() == OmeZarrVersion::v04;
  const auto film = metadata(folder / "film.zarr")["multiscales"][0];
  EXPECT_EQ(names_of(film["axes"]), (std::vector<std::string>{"t", "c", "z", "y", "x"}));
  EXPECT_EQ(film["axes"][0]["type"], "time");
  EXPECT_EQ(film["datasets"][1]["coordinateTransformations"][0]["scale"],
            (nlohmann::json{1.0, 1.0, 4.0, 1.0, 0.5}));
  const auto of_film = array(folder / "film.zarr/0");
  EXPECT_EQ(of_film["shape"], (nlohmann::json{3, 2, 5, 30, 130}));
  const auto still = metadata(folder / "still.zarr")["multiscales"][0];
  EXPECT_EQ(names_of(still["axes"]), (std::vector<std::string>{"c", "z", "y", "x"}));
  EXPECT_EQ(array(folder / "still.zarr/1")["shape"], (nlohmann::json{2, 3, 15, 65}));
  if (!old) {
    EXPECT_EQ(of_film["dimension_names"], (nlohmann::json{"t", "c", "z", "y", "x"}));
  }
  // A chunk is of one channel and time point, wherever the version puts it.
  EXPECT_TRUE(fs::exists(folder / (old ? "film.zarr/0/2/1/0/0/2" : "film.zarr/0/c/2/1/0/0/0")));
}

TEST_P(OmeZarrSeriesWrite, TheTimeStepIsInSeconds) {
  OmeZarrSeries series = film_series();
  series.seconds = 12.5;
  const fs::path path = folder / "film.zarr";
  ASSERT_TRUE(write_ome_zarr(series, make_film, path, GetParam()).ok());
  const auto image = metadata(path)["multiscales"][0];
  EXPECT_EQ(image["axes"][0]["unit"], "second");
  for (const auto& level : image["datasets"]) {
    EXPECT_EQ(level["coordinateTransformations"][0]["scale"][0], 12.5);
  }
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->seconds, 12.5);
  // Unknown stays unknown.
  series.seconds.reset();
  ASSERT_TRUE(write_ome_zarr(series, make_film, path, GetParam()).ok());
  EXPECT_EQ(inspect(path.string())->seconds, std::nullopt);
}

TEST_P(OmeZarrSeriesWrite, ParticlesKeepTheirLevels) {
  std::vector<Apr> parts;
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    parts.push_back(random_apr({.size = {20, 90, 70}, .seed = seed, .split = 0.5}));
  }
  OmeZarrSeries series;
  series.channels = {{"a", {}, true}, {"b", {}, true}};
  series.times = 2;
  const MakeOmeZarrPart make = [&](int c, int t, const JobContext&) -> Result<OmeZarrPart> {
    return OmeZarrPart(std::make_shared<const Apr>(parts[static_cast<std::size_t>(2 * t + c)]));
  };
  const fs::path path = folder / "out.zarr";
  const Status written = write_ome_zarr(series, make, path, GetParam());
  ASSERT_TRUE(written.ok()) << written.error().message();
  for (int t = 0; t < 2; ++t) {
    for (int c = 0; c < 2; ++c) {
      const Apr& apr = parts[static_cast<std::size_t>(2 * t + c)];
      const auto values = apr.main_field()->to_float();
      const auto fine = naive_reconstruct(*apr.access, values);
      expect_samples(load_ok(path, {c, t}), [&](std::int64_t z, std::int64_t x, std::int64_t y) {
        return fine.at(z, x, y);
      });
      const auto tree = naive_tree(*apr.access, values, Reduction::mean);
      const auto coarse = naive_at_level(*apr.access, values, tree, apr.access->level_max() - 1);
      const Volume level = load_ok(path.string() + ":/1", {c, t});
      ASSERT_EQ(level.size(), coarse.size);
      for (std::size_t i = 0; i < coarse.values.size(); ++i) {
        ASSERT_NEAR(std::get<Pixels<std::uint16_t>>(level.pixels).values[i], coarse.values[i],
                    0.501);
      }
    }
  }
  // Colours that are told apart, where none were said.
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok());
  ASSERT_EQ(info->hints.size(), 2U);
  EXPECT_EQ(info->hints[0].colour, channel_colour("a", 0));
  EXPECT_EQ(info->hints[1].colour, channel_colour("b", 1));
}

TEST_P(OmeZarrSeriesWrite, OnePartIsInMemoryAtATime) {
  std::weak_ptr<const Volume> before;
  std::vector<std::pair<int, int>> order;
  const MakeOmeZarrPart make = [&](int c, int t, const JobContext&) -> Result<OmeZarrPart> {
    EXPECT_TRUE(before.expired());
    order.emplace_back(t, c);
    auto volume = std::make_shared<const Volume>(film_part(c, t));
    before = volume;
    return OmeZarrPart(std::move(volume));
  };
  double last = 0.0;
  bool back = false;
  const JobContext context({}, [&](double fraction, std::string_view) {
    back = back || fraction < last - 1e-9;
    last = fraction;
  });
  ASSERT_TRUE(write_ome_zarr(film_series(), make, folder / "a.zarr", GetParam(), context).ok());
  EXPECT_EQ(order,
            (std::vector<std::pair<int, int>>{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}}));
  EXPECT_FALSE(back);
  EXPECT_GT(last, 0.9);
}

TEST_P(OmeZarrSeriesWrite, WhatFailsHalfWayLeavesNothing) {
  const fs::path path = folder / "out.zarr";
  const auto expect_nothing = [&](const MakeOmeZarrPart& make, const std::string& words,
                                  const JobContext& context = {}) {
    const Status written = write_ome_zarr(film_series(), make, path, GetParam(), context);
    ASSERT_FALSE(written.ok());
    EXPECT_NE(written.error().message().find(words), std::string::npos)
        << written.error().message();
    EXPECT_TRUE(fs::is_empty(folder.path()));
  };
  const auto otherwise_at = [](int channel, int time, const OmeZarrPart& other) {
    return [=](int c, int t, const JobContext& context) -> Result<OmeZarrPart> {
      return c == channel && t == time ? Result<OmeZarrPart>(other) : make_film(c, t, context);
    };
  };
  Volume small = film_part(0, 0);
  small.pixels = Pixels<std::uint16_t>({5, 30, 129});
  expect_nothing(otherwise_at(1, 2, std::make_shared<const Volume>(small)),
                 "channel 1 at time point 2 has 5 × 30 × 129 pixels, the first one 5 × 30 × 130");
  Volume other = film_part(0, 0);
  other.pixels = Pixels<float>(kFilm);
  expect_nothing(otherwise_at(0, 1, std::make_shared<const Volume>(other)),
                 "channel 0 at time point 1 has f32, the first one u16");
  Apr bare = random_apr({.size = kFilm, .seed = 1, .split = 0.5});
  bare.fields.clear();
  expect_nothing(otherwise_at(1, 0, std::make_shared<const Apr>(bare)), "without values");
  expect_nothing(
      [&](int c, int t, const JobContext& context) -> Result<OmeZarrPart> {
        if (t == 2) return Error{"cannot be read", "film", "try again"};
        return make_film(c, t, context);
      },
      "film: cannot be read; try again");
  std::stop_source stop;
  expect_nothing(
      [&](int c, int t, const JobContext& context) -> Result<OmeZarrPart> {
        if (t == 1) stop.request_stop();
        return make_film(c, t, context);
      },
      cancelled_error().message(), JobContext(stop.get_token()));
  OmeZarrSeries none = film_series();
  none.channels.clear();
  EXPECT_FALSE(write_ome_zarr(none, make_film, path, GetParam()).ok());
}

TEST_P(OmeZarrSeriesWrite, WindowsHaveAWidthAndLieInTheirLimits) {
  OmeZarrSeries series;
  series.channels = {{"constant", {}, true},
                     {"most", {}, true},
                     {"wide", {std::nullopt, std::array<double, 2>{-5.0, 300.0}}, true}};
  const MakeOmeZarrPart make = [&](int c, int, const JobContext&) -> Result<OmeZarrPart> {
    Volume volume;
    volume.pixels = Pixels<std::uint8_t>({2, 3, 4}, c == 1 ? std::uint8_t{255} : std::uint8_t{7});
    return OmeZarrPart(std::make_shared<const Volume>(std::move(volume)));
  };
  ASSERT_TRUE(write_ome_zarr(series, make, folder / "out.zarr", GetParam()).ok());
  const auto channels = metadata(folder / "out.zarr")["omero"]["channels"];
  const auto window = [](double start, double end, double least, double most) {
    return nlohmann::json{{"start", start}, {"end", end}, {"min", least}, {"max", most}};
  };
  EXPECT_EQ(channels[0]["window"], window(7.0, 8.0, 0.0, 255.0));
  EXPECT_EQ(channels[1]["window"], window(254.0, 255.0, 0.0, 255.0));
  EXPECT_EQ(channels[2]["window"], window(-5.0, 300.0, -5.0, 300.0));
}

// Series replace, and are replaced, as single images are.
TEST_P(OmeZarrSeriesWrite, AFilmIsReplacedByAnother) {
  const fs::path path = folder / "film.zarr";
  OmeZarrSeries series = film_series();
  ASSERT_TRUE(write_ome_zarr(series, make_film, path, GetParam()).ok());
  series.times = 2;
  ASSERT_TRUE(write_ome_zarr(series, make_film, path, GetParam()).ok());
  const auto info = inspect(path.string());
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->times, 2);
  ASSERT_TRUE(write_ome_zarr(film_part(0, 0), path, GetParam()).ok());
  EXPECT_EQ(load_ok(path).channel, "GFP α");
}

}  // namespace
}  // namespace aprscope::test
