// Statistics against the definition: all values in a list, sorted.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/pipeline/backend.hpp"
#include "core/pipeline/execution.hpp"
#include "tests/core/pipeline/refusing_backend.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

const std::map<std::string, double>& fractions() {
  static const std::map<std::string, double> all{{"q1", 0.01},    {"q5", 0.05},    {"q25", 0.25},
                                                 {"median", 0.5}, {"q75", 0.75},   {"q95", 0.95},
                                                 {"q99", 0.99},   {"q99_9", 0.999}};
  return all;
}

Measurement measured(Data data, const std::string& region = "", std::int64_t bins = 256) {
  const Operation operation{"statistics", {{"region", region}, {"bins", bins}}};
  auto found = cpu_backend()->measure(operation, *Dataset::create(std::move(data)), {});
  EXPECT_TRUE(found.ok()) << found.error().message();
  return found ? *std::move(found) : Measurement();
}

double cell(const Table& table, const std::string& id, std::size_t row = 0) {
  const Column* column = table.column(id);
  if (column == nullptr) return std::nan("");
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&column->cells)) {
    return static_cast<double>((*whole)[row]);
  }
  return std::get<std::vector<double>>(column->cells)[row];
}

// A row of a table says what is true of these values.
void expect_row(const Table& table, std::size_t row, std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double v : values) sum += v;
  double squares = 0.0;
  for (const double v : values) squares += (v - sum / n) * (v - sum / n);
  EXPECT_EQ(cell(table, "pixels", row) - cell(table, "not_finite", row), n);
  EXPECT_EQ(cell(table, "minimum", row), values.front());
  EXPECT_EQ(cell(table, "maximum", row), values.back());
  const double size = std::max(1.0, std::abs(sum));
  EXPECT_NEAR(cell(table, "sum", row), sum, 1e-10 * size);
  EXPECT_NEAR(cell(table, "mean", row), sum / n, 1e-10 * size / n);
  EXPECT_NEAR(cell(table, "deviation", row), std::sqrt(squares / n),
              1e-9 * std::max(1.0, std::sqrt(squares / n)));
  for (const auto& [id, fraction] : fractions()) {
    // The least value that at least this part of them does not exceed.
    const auto rank = std::max<std::ptrdiff_t>(1, std::ceil(fraction * n));
    EXPECT_EQ(cell(table, id, row), values[static_cast<std::size_t>(rank - 1)]) << id;
  }
}

template <class T>
Volume volume_of(Pixels<T> pixels) {
  Volume volume;
  volume.name = "image";
  volume.pixels = std::move(pixels);
  return volume;
}

template <class T>
Pixels<T> random_pixels(const Size3& size, double low, double high) {
  Pixels<T> pixels(size);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> values(low, high);
  for (T& v : pixels.values) v = static_cast<T>(values(random));
  return pixels;
}

template <class T>
std::vector<double> inside(const Pixels<T>& pixels, const Region& region) {
  std::vector<double> values;
  for (std::int64_t z = region.begin.z; z < region.end.z; ++z) {
    for (std::int64_t x = region.begin.x; x < region.end.x; ++x) {
      for (std::int64_t y = region.begin.y; y < region.end.y; ++y) {
        values.push_back(pixels.at(z, x, y));
      }
    }
  }
  return values;
}

TEST(Statistics, OfPixelsAreThoseOfTheirValues) {
  const Size3 size{5, 17, 23};
  const auto bytes = random_pixels<std::uint8_t>(size, 0, 255);
  const auto words = random_pixels<std::uint16_t>(size, 0, 65535);
  const auto reals = random_pixels<float>(size, -3e3, 1e5);
  expect_row(measured(volume_of(bytes)).tables.at(0), 0, inside(bytes, whole(size)));
  expect_row(measured(volume_of(words)).tables.at(0), 0, inside(words, whole(size)));
  expect_row(measured(volume_of(reals)).tables.at(0), 0, inside(reals, whole(size)));
}

TEST(Statistics, OfARegionAreThoseOfItsPixels) {
  const auto reals = random_pixels<float>({9, 8, 31}, -1, 1);
  const Region region{{2, 3, 5}, {7, 4, 31}};
  const auto found = measured(volume_of(reals), "2:7,3:4,5:31");
  expect_row(found.tables.at(0), 0, inside(reals, region));
}

TEST(Statistics, ValuesThatAreNotFiniteAreCountedApart) {
  auto reals = random_pixels<float>({4, 5, 6}, 0, 10);
  reals.values[3] = std::numeric_limits<float>::quiet_NaN();
  reals.values[70] = -std::numeric_limits<float>::infinity();
  std::vector<double> values;
  for (const float v : reals.values) {
    if (std::isfinite(v)) values.push_back(v);
  }
  const auto found = measured(volume_of(reals));
  EXPECT_EQ(cell(found.tables.at(0), "not_finite"), 2.0);
  expect_row(found.tables.at(0), 0, values);
  // Nothing but such: counted, and no figure is invented.
  Pixels<float> none({1, 2, 2}, std::numeric_limits<float>::quiet_NaN());
  const auto empty = measured(volume_of(none));
  EXPECT_EQ(cell(empty.tables.at(0), "not_finite"), 4.0);
  EXPECT_TRUE(std::isnan(cell(empty.tables.at(0), "mean")));
  EXPECT_TRUE(empty.curves.at(0).marks.empty());
}

TEST(Statistics, OfParticlesAreThoseOfThePixelsThatTheyStandFor) {
  for (const Size3 size : {Size3{20, 33, 47}, Size3{1, 50, 61}, Size3{16, 16, 16}}) {
    const Apr apr = test::random_apr({.size = size, .seed = 11, .split = 0.55});
    const auto pixels = test::naive_reconstruct(*apr.access, apr.main_field()->to_float());
    const auto levels = test::particle_map(*apr.access).level;
    const auto found = measured(apr);
    const Table& table = found.tables.at(0);
    expect_row(table, 0, inside(pixels, whole(size)));
    // Each level that has particles, finest first.
    std::size_t row = 1;
    for (int level = apr.access->level_max(); level >= 1; --level) {
      std::vector<double> values;
      for (std::size_t i = 0; i < pixels.values.size(); ++i) {
        if (levels.values[i] == level) values.push_back(pixels.values[i]);
      }
      if (values.empty()) continue;
      ASSERT_LT(row, table.rows());
      EXPECT_EQ(cell_text(*table.column("part"), row), "level " + std::to_string(level));
      EXPECT_EQ(cell(table, "cell_side", row), std::exp2(apr.access->level_max() - level));
      EXPECT_EQ(cell(table, "particles", row),
                static_cast<double>(apr.access->particles().level(level).count()));
      expect_row(table, row++, values);
    }
    EXPECT_EQ(row, table.rows());
  }
}

TEST(Statistics, ARegionCutsTheCellsOfParticles) {
  const Size3 size{20, 33, 47};
  const Apr apr = test::random_apr({.size = size, .seed = 3, .split = 0.4});
  const auto pixels = test::naive_reconstruct(*apr.access, apr.main_field()->to_float());
  const auto owners = test::particle_map(*apr.access).index;
  const Region region{{3, 7, 5}, {14, 22, 41}};
  const auto found = measured(apr, "3:14,7:22,5:41");
  expect_row(found.tables.at(0), 0, inside(pixels, region));
  const auto seen = inside(owners, region);
  const std::set<double> particles(seen.begin(), seen.end());
  EXPECT_EQ(cell(found.tables.at(0), "particles"), static_cast<double>(particles.size()));
}

TEST(Statistics, TheHistogramCountsEveryPixelOnce) {
  const auto words = random_pixels<std::uint16_t>({3, 40, 50}, 100, 160);
  // As many bins as grey values suffice: one each.
  const Curve one = measured(volume_of(words)).curves.at(0);
  for (std::size_t i = 0; i < one.x.values.size(); ++i) {
    const auto count = std::count(words.values.begin(), words.values.end(), one.x.values[i]);
    EXPECT_EQ(one.ys.at(0).values[i], static_cast<double>(count));
  }
  EXPECT_EQ(one.x.values.back(), *std::max_element(words.values.begin(), words.values.end()));
  // Fewer: as many grey values in each, counted by hand.
  const Curve few = measured(volume_of(words), "", 7).curves.at(0);
  ASSERT_LE(few.x.values.size(), 7U);
  const double width = few.x.values[1] - few.x.values[0];
  EXPECT_EQ(width, std::floor(width));
  for (std::size_t i = 0; i < few.x.values.size(); ++i) {
    const double begin = few.x.values[i];
    const auto count = std::count_if(words.values.begin(), words.values.end(),
                                     [&](double v) { return v >= begin && v < begin + width; });
    EXPECT_EQ(few.ys.at(0).values[i], static_cast<double>(count));
  }
  // Real values: none is lost at the ends.
  const auto reals = random_pixels<float>({3, 40, 50}, -2.5, 9.25);
  const Curve real = measured(volume_of(reals), "", 33).curves.at(0);
  EXPECT_EQ(real.x.values.size(), 33U);
  double sum = 0.0;
  for (const double count : real.ys.at(0).values) sum += count;
  EXPECT_EQ(sum, 6000.0);
}

TEST(Statistics, AreTheSameForAnyNumberOfThreads) {
  const auto reals = random_pixels<float>({40, 30, 50}, -1e4, 1e4);
  const int before = thread_count();
  set_thread_count(1);
  const Measurement alone = measured(volume_of(reals));
  set_thread_count(3);
  const Measurement team = measured(volume_of(reals));
  set_thread_count(before);
  EXPECT_EQ(alone, team);
}

TEST(Statistics, VolumesHaveTheUnitOfTheImage) {
  Volume volume = volume_of(random_pixels<std::uint8_t>({2, 3, 4}, 0, 9));
  EXPECT_EQ(measured(volume).tables.at(0).column("volume"), nullptr);
  volume.voxel = {2.0, 0.5, 0.25, "µm"};
  const Table table = measured(volume).tables.at(0);
  ASSERT_NE(table.column("volume"), nullptr);
  EXPECT_EQ(table.column("volume")->unit, "µm³");
  EXPECT_DOUBLE_EQ(cell(table, "volume"), 2 * 3 * 4 * 2.0 * 0.5 * 0.25);
}

TEST(Statistics, RegionsThatAreNoneOrReachOutAreRefused) {
  const auto data = Dataset::create(volume_of(random_pixels<float>({2, 3, 4}, 0, 1)));
  for (const char* bad : {"1", "0:1,0:1", "0:2,0:3,0:5", "1:1,0:3,0:4", "0:1,0:1,0:1,0:1",
                          "-1:1,0:3,0:4", "a:b,c:d,e:f", "0:2,0:3,0:4 ", "0:2;0:3;0:4"}) {
    const auto found =
        cpu_backend()->measure({"statistics", {{"region", std::string(bad)}}}, *data, {});
    ASSERT_FALSE(found.ok()) << bad;
    EXPECT_NE(found.error().message().find(bad), std::string::npos) << found.error().message();
  }
}

TEST(Statistics, StandBesideTheDataInAListOfSteps) {
  const auto pixels = random_pixels<std::uint16_t>({6, 20, 20}, 0, 1000);
  const auto input = Dataset::create(volume_of(pixels));
  const Operation statistics{"statistics", {}};
  const Operation box{"box", {}};
  const auto run = execute({statistics, box, statistics}, input, *cpu_backend());
  ASSERT_TRUE(run.ok()) << run.error().message();
  ASSERT_EQ(run->measured.size(), 2U);
  EXPECT_EQ(run->measured[0].of, input);
  EXPECT_EQ(run->measured[1].of, run->data);
  EXPECT_EQ(run->measured[1].step, 2U);
  EXPECT_EQ(run->costs.size(), 3U);
  expect_row(run->measured[0].found->tables.at(0), 0, inside(pixels, whole({6, 20, 20})));
  // The filter took the image, not what was measured on it.
  const auto alone = execute({box}, input, *cpu_backend());
  ASSERT_TRUE(alone.ok());
  EXPECT_EQ(std::get<Pixels<float>>(run->data->volume().pixels).values,
            std::get<Pixels<float>>(alone->data->volume().pixels).values);
}

TEST(Statistics, ADeviceThatDoesNotMeasureSaysWhoDoes) {
  const auto input = Dataset::create(volume_of(random_pixels<float>({4, 5, 6}, 0, 1)));
  const test::RefusingBackend device("nothing");
  const auto run = execute({{"statistics", {}}}, input, device);
  ASSERT_TRUE(run.ok()) << run.error().message();
  EXPECT_EQ(run->measured.front().found->tables, measured(input->volume()).tables);
  ASSERT_TRUE(run->costs.front().moved.has_value());
  EXPECT_EQ(run->costs.front().backend, cpu_backend()->name());
  EXPECT_FALSE(move_reasons(run->costs).empty());
}

TEST(Statistics, WhatMeasuresMakesNoDataAndTheOtherWayRound) {
  const auto input = Dataset::create(volume_of(random_pixels<float>({2, 3, 4}, 0, 1)));
  EXPECT_FALSE(cpu_backend()->run({"statistics", {}}, *input, {}).ok());
  EXPECT_FALSE(cpu_backend()->measure({"box", {}}, *input, {}).ok());
}

}  // namespace
}  // namespace aprscope
