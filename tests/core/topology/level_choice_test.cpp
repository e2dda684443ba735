// Thresholds that are given, every value of many, and values without end, against the same image
// measured in the plain way.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "core/operations/measure/measure_source.hpp"
#include "core/pipeline/backend.hpp"
#include "tests/support/random_apr.hpp"
#include "tests/support/volume_slices.hpp"

namespace aprscope {
namespace {

using Parameters = std::map<std::string, ParameterValue>;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr const char* kSets[] = {"superlevel", "sublevel"};
constexpr const char* kConstructions[] = {"t", "v"};

Data image_of(std::vector<float> values, const Size3& size) {
  Pixels<float> pixels(size);
  pixels.values = std::move(values);
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = {2.0, 0.5, 0.25, "µm"};
  volume.name = "image";
  return volume;
}

Result<Measurement> measure(const Data& data, const Parameters& parameters) {
  return cpu_backend()->measure({"topology", parameters}, *Dataset::create(Data(data)), {});
}

// What there is at each threshold.
struct Row {
  std::int64_t euler = 0;
  double volume = 0.0;
  double surface = 0.0;
  friend bool operator==(const Row&, const Row&) = default;
};

std::map<double, Row> rows_of(const Measurement& found) {
  const Table& table = found.tables.front();
  const auto real = [&](const char* id) {
    return std::get<std::vector<double>>(table.column(id)->cells);
  };
  const auto euler = std::get<std::vector<std::int64_t>>(table.column("ecc")->cells);
  const auto threshold = real("threshold");
  const auto volume = real("volume");
  const auto surface = real("surface");
  std::map<double, Row> out;
  for (std::size_t i = 0; i < euler.size(); ++i) {
    out[threshold[i]] = {euler[i], volume[i], surface[i]};
  }
  return out;
}

std::map<double, Row> rows_of(const Data& data, const Parameters& parameters) {
  const auto found = measure(data, parameters);
  EXPECT_TRUE(found.ok()) << found.error().message();
  return found ? rows_of(*found) : std::map<double, Row>();
}

bool has_note(const Measurement& found, const std::string& words) {
  return std::ranges::any_of(
      found.notes, [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

template <class Check>
void for_all(const Check& check) {
  for (const char* sets : kSets) {
    for (const char* construction : kConstructions) {
      SCOPED_TRACE(std::string(sets) + " " + construction);
      check(Parameters{{"sets", std::string(sets)}, {"construction", std::string(construction)}});
    }
  }
}

std::vector<float> few_values(std::size_t count, std::uint64_t seed) {
  std::vector<float> values(count);
  std::mt19937_64 random(seed);
  for (float& v : values) v = 0.25F * static_cast<float>(random() % 12) - 1.0F;
  return values;
}

// A value beyond all others has the same rank and, at all other thresholds, the same sets.
TEST(LevelChoice, InfinitiesHaveTheRankOfValuesBeyondAllOthers) {
  const Size3 size{6, 9, 11};
  auto endless = few_values(static_cast<std::size_t>(size.count()), 1);
  std::mt19937_64 random(2);
  for (float& v : endless) {
    if (random() % 9 == 0) v = kInfinity;
    if (random() % 9 == 0) v = -kInfinity;
  }
  const auto above = std::ranges::count(endless, kInfinity);
  const auto below = std::ranges::count(endless, -kInfinity);
  auto ended = endless;
  std::ranges::replace(ended, kInfinity, 500.0F);
  std::ranges::replace(ended, -kInfinity, -500.0F);
  for_all([&](const Parameters& p) {
    auto wanted = rows_of(image_of(ended, size), p);
    wanted.erase(500.0);
    wanted.erase(-500.0);
    const auto found = measure(image_of(endless, size), p);
    ASSERT_TRUE(found.ok()) << found.error().message();
    EXPECT_EQ(rows_of(*found), wanted);
    EXPECT_TRUE(has_note(*found, std::to_string(above) + " voxels are ∞"));
    EXPECT_TRUE(has_note(*found, std::to_string(below) + " voxels are −∞"));
    test::VolumeSlices slices(std::get<Volume>(image_of(endless, size)));
    const auto streamed = measure_source({"topology", p}, slices, {2.0, 0.5, 0.25, "µm"}, 1000);
    ASSERT_TRUE(streamed.ok()) << streamed.error().message();
    EXPECT_EQ(streamed->tables, found->tables);
    // Evenly spaced, between those that end.
    Parameters even = p;
    even["levels"] = std::int64_t{7};
    for (const auto& [at, row] : rows_of(image_of(endless, size), even)) {
      Parameters here = p;
      here["thresholds"] = to_text(ParameterValue(at));
      EXPECT_EQ(rows_of(image_of(ended, size), here).begin()->second, row) << at;
    }
  });
}

TEST(LevelChoice, InfinitiesAloneAreNoCurve) {
  const auto found =
      measure(image_of({kInfinity, -kInfinity, kInfinity, kInfinity}, {1, 2, 2}), {});
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().message().find("no finite values"), std::string::npos);
}

TEST(LevelChoice, NanIsCountedAndTheFirstIsShown) {
  std::vector<float> values(2 * 3 * 4, 1.0F);
  values[5] = kInfinity;
  values[18] = values[23] = std::nanf("");
  const auto found = measure(image_of(values, {2, 3, 4}), {});
  ASSERT_FALSE(found.ok());
  const std::string text = found.error().message();
  EXPECT_NE(text.find("2 values that are no numbers (NaN), the first at z 1, x 1, y 2"),
            std::string::npos)
      << text;
}

// More values than two bytes tell apart: at each the numbers of the mask of that threshold.
TEST(LevelChoice, EveryValueHasItsRowHoweverManyThereAre) {
  const Size3 size{37, 45, 47};
  std::vector<float> values(static_cast<std::size_t>(size.count()));
  std::iota(values.begin(), values.end(), -100.0F);
  std::shuffle(values.begin(), values.end(), std::mt19937_64(3));
  for (float& v : values) v *= 1.0F / 1024.0F;
  // A background that many voxels have.
  for (std::size_t i = 0; i < values.size(); i += 40) values[i] = 0.0F;
  auto different = values;
  std::ranges::sort(different);
  // Not std::ranges::unique: clang 14 does not take the subrange of libstdc++ that it gives.
  const auto end = std::unique(different.begin(), different.end());
  different.erase(end, different.end());
  ASSERT_GT(different.size(), 70000U);
  for_all([&](const Parameters& p) {
    Parameters every = p;
    every["exact"] = true;
    const auto found = measure(image_of(values, size), every);
    ASSERT_TRUE(found.ok()) << found.error().message();
    const auto rows = rows_of(*found);
    ASSERT_EQ(rows.size(), different.size());
    const bool super = std::get<std::string>(p.at("sets")) == "superlevel";
    for (std::size_t i = 0; i < different.size(); i += 9001) {
      const float t = different[i];
      EXPECT_EQ(rows.count(static_cast<double>(t)), 1U);
      std::vector<float> mask(values.size());
      for (std::size_t k = 0; k < mask.size(); ++k) mask[k] = values[k] >= t ? 1.0F : 0.0F;
      if (!super) {
        for (std::size_t k = 0; k < mask.size(); ++k) mask[k] = values[k] <= t ? 0.0F : 1.0F;
      }
      EXPECT_EQ(rows.at(static_cast<double>(t)),
                rows_of(image_of(mask, size), p)[super ? 1.0 : 0.0]);
    }
    EXPECT_TRUE(has_note(*found, "all in the table"));
    for (const Curve& curve : found->curves) {
      EXPECT_LE(curve.x.values.size(), 65536U);
      for (std::size_t i = 0; i < curve.x.values.size(); i += 997) {
        ASSERT_EQ(rows.count(curve.x.values[i]), 1U);
      }
    }
    test::VolumeSlices slices(std::get<Volume>(image_of(values, size)));
    const auto streamed =
        measure_source({"topology", every}, slices, {2.0, 0.5, 0.25, "µm"}, 90000);
    ASSERT_TRUE(streamed.ok()) << streamed.error().message();
    EXPECT_EQ(streamed->tables, found->tables);
  });
  const auto pieces = measure(image_of(values, size), {{"exact", true}, {"betti", true}});
  ASSERT_FALSE(pieces.ok());
  EXPECT_NE(pieces.error().message().find("up to 65536 levels"), std::string::npos);
}

TEST(LevelChoice, ParticlesOfManyValuesHaveTheCurvesOfTheirPixels) {
  Apr apr = test::random_apr({.size = {70, 80, 90}, .seed = 4, .split = 0.9});
  auto values = std::vector<float>(apr.access->count());
  std::iota(values.begin(), values.end(), 0.5F);
  std::shuffle(values.begin(), values.end(), std::mt19937_64(5));
  apr.fields = {std::make_shared<const Field>(Field{"particle_intensities", values})};
  Volume volume;
  volume.pixels = test::naive_reconstruct(*apr.access, values);
  for_all([&](Parameters p) {
    p["exact"] = true;
    const auto native = measure(apr, p);
    ASSERT_TRUE(native.ok()) << native.error().message();
    EXPECT_GT(native->tables.front().rows(), 65536U);
    EXPECT_EQ(native->tables, measure(volume, p)->tables);
  });
}

// Between values the set is that of the next value inwards, beyond them nothing or all.
Row exact_at(const std::map<double, Row>& rows, double t, bool super) {
  if (super) {
    const auto at = rows.lower_bound(t);
    return at != rows.end() ? at->second : Row{};
  }
  const auto at = rows.upper_bound(t);
  return at != rows.begin() ? std::prev(at)->second : Row{};
}

template <class T>
Data whole_image(const Size3& size, double most, std::uint64_t seed) {
  Pixels<T> pixels(size);
  std::mt19937_64 random(seed);
  for (T& v : pixels.values) v = static_cast<T>(random() % static_cast<std::uint64_t>(most));
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = {2.0, 0.5, 0.25, "µm"};
  return volume;
}

TEST(LevelChoice, GivenThresholdsHaveTheExactNumbersEachInItsRow) {
  const Size3 size{7, 12, 30};
  const auto count = static_cast<std::size_t>(size.count());
  const Data images[] = {whole_image<std::uint8_t>(size, 256, 6),
                         whole_image<std::uint16_t>(size, 700, 7),
                         image_of(few_values(count, 8), size)};
  for (const Data& image : images) {
    for_all([&](const Parameters& p) {
      const auto rows = rows_of(image, p);
      Parameters given = p;
      given["thresholds"] = std::string("-20:270:59");
      const auto found = rows_of(image, given);
      EXPECT_EQ(found.size(), 59U);
      EXPECT_EQ(found.begin()->first, -20.0);
      EXPECT_EQ(found.rbegin()->first, 270.0);
      for (const auto& [t, row] : found) {
        EXPECT_EQ(row, exact_at(rows, t, std::get<std::string>(p.at("sets")) == "superlevel")) << t;
      }
      // Where values lie between thresholds nobody knows.
      const auto marked = measure(image, given);
      ASSERT_TRUE(marked.ok()) << marked.error().message();
      for (const CurveMark& mark : marked->curves.front().marks) {
        EXPECT_EQ(mark.words, "zero");
      }
      given["betti"] = true;
      const auto all = measure(image, given);
      ASSERT_TRUE(all.ok()) << all.error().message();
      const auto cells = [&](const char* id) {
        return std::get<std::vector<std::int64_t>>(all->tables.front().column(id)->cells);
      };
      for (std::size_t i = 0; i < 59; ++i) {
        EXPECT_EQ(cells("b0")[i] - cells("b1")[i] + cells("b2")[i], cells("ecc")[i]);
      }
      test::VolumeSlices slices(std::get<Volume>(image));
      Parameters streamed = p;
      streamed["thresholds"] = std::string("-20:270:59");
      const auto read =
          measure_source({"topology", streamed}, slices, {2.0, 0.5, 0.25, "µm"}, 1000);
      ASSERT_TRUE(read.ok()) << read.error().message();
      EXPECT_EQ(rows_of(*read), found);
    });
  }
}

// The one that is there at the last threshold never ends; none begins after it.
TEST(LevelChoice, PiecesEndAtThresholdsOrNever) {
  // From the brightest on: 9, 7, 5; below 4 all is one.
  const auto found =
      measure(image_of({9, 1, 7, 3, 5, 0, 2}, {1, 1, 7}),
              {{"thresholds", std::string("4,6,8")}, {"persistence", std::int64_t{9}}});
  ASSERT_TRUE(found.ok()) << found.error().message();
  const Table& lives = found->tables.at(1);
  const auto births = std::get<std::vector<double>>(lives.column("birth")->cells);
  const auto deaths = std::get<std::vector<double>>(lives.column("death")->cells);
  EXPECT_EQ(births, (std::vector<double>{8.0, 6.0, 4.0}));
  for (const double death : deaths) EXPECT_TRUE(std::isnan(death));
}

TEST(LevelChoice, ThresholdsOutOfOrderAreSortedAndThatIsSaid) {
  const Data image = image_of(few_values(500, 9), {1, 20, 25});
  const auto jumbled = measure(image, {{"thresholds", std::string("1,-0.5,0.25,1")}});
  ASSERT_TRUE(jumbled.ok());
  EXPECT_TRUE(has_note(*jumbled, "put in order"));
  const auto falling = measure(image, {{"thresholds", std::string("1,0.25,-0.5")}});
  ASSERT_TRUE(falling.ok());
  EXPECT_FALSE(has_note(*falling, "put in order"));
  EXPECT_EQ(jumbled->tables, falling->tables);
}

TEST(LevelChoice, ThresholdsComeFromFiles) {
  const Data image = image_of(few_values(500, 9), {1, 20, 25});
  const std::string path = testing::TempDir() + "thresholds.csv";
  std::ofstream(path) << "# of a table\nthreshold,pixels\n-0.5,7\n0.25,8\r\n\n1,9\n";
  EXPECT_EQ(rows_of(image, {{"thresholds", path}}),
            rows_of(image, {{"thresholds", std::string("-0.5,0.25,1")}}));
  std::ofstream(path) << "1\n2\ntwo\n";
  const auto broken = measure(image, {{"thresholds", path}});
  ASSERT_FALSE(broken.ok());
  EXPECT_NE(broken.error().message().find("line 3: \"two\" is no number"), std::string::npos);
  for (const char* wrong : {"0:255:0", "0:255:1.5", "0:1:70000", "no-such-file.csv", "1,x"}) {
    EXPECT_FALSE(measure(image, {{"thresholds", std::string(wrong)}}).ok()) << wrong;
  }
}

}  // namespace
}  // namespace aprscope
