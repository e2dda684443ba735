// Grey values of other images in the table of cells, against sums pixel by pixel.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/cells/carried_labels.hpp"
#include "core/io/write.hpp"
#include "core/pipeline/backend.hpp"
#include "core/pipeline/execution.hpp"
#include "tests/core/cells/label_phantoms.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

constexpr Size3 kSize{6, 8, 9};

Volume image(unsigned seed) {
  Pixels<std::uint16_t> pixels(kSize);
  for (std::size_t i = 0; i < pixels.values.size(); ++i) {
    pixels.values[i] = static_cast<std::uint16_t>((i + seed) * 7919 % (900 + seed));
  }
  Volume volume;
  volume.pixels = std::move(pixels);
  volume.voxel = {2.0, 0.5, 0.5, "µm"};
  volume.name = "own";
  return volume;
}

Labels boxes() {
  return test::labels_of(test::painted(kSize, [](auto z, auto x, auto y) -> std::uint32_t {
    if (z < 1 || z >= 4 || x < 2 || x >= 6) return 0;
    return y < 5 ? 3 : y < 8 ? 9 : 0;
  }));
}

struct Expected {
  double mean = 0.0;
  double deviation = 0.0;
  double minimum = 1e9;
  double maximum = 0.0;
  double sum = 0.0;
  double wall_mean = 0.0;
};

Expected expected_of(const Labels& labels, const Volume& of, std::uint32_t label) {
  const auto value = [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    return static_cast<double>(of.value({z, x, y}));
  };
  const auto at = [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    const bool in = z >= 0 && x >= 0 && y >= 0 && z < kSize.z && x < kSize.x && y < kSize.y;
    // What lies outside of the image makes no wall.
    return in ? labels.values[static_cast<std::size_t>((z * kSize.x + x) * kSize.y + y)] : label;
  };
  Expected out;
  double n = 0.0;
  double squares = 0.0;
  double wall = 0.0;
  double wall_sum = 0.0;
  for (std::int64_t z = 0; z < kSize.z; ++z) {
    for (std::int64_t x = 0; x < kSize.x; ++x) {
      for (std::int64_t y = 0; y < kSize.y; ++y) {
        if (at(z, x, y) != label) continue;
        const double v = value(z, x, y);
        ++n;
        out.sum += v;
        squares += v * v;
        out.minimum = std::min(out.minimum, v);
        out.maximum = std::max(out.maximum, v);
        const bool on_wall = at(z - 1, x, y) != label || at(z + 1, x, y) != label ||
                             at(z, x - 1, y) != label || at(z, x + 1, y) != label ||
                             at(z, x, y - 1) != label || at(z, x, y + 1) != label;
        if (!on_wall) continue;
        ++wall;
        wall_sum += v;
      }
    }
  }
  out.mean = out.sum / n;
  out.deviation = std::sqrt(squares / n - out.mean * out.mean);
  out.wall_mean = wall_sum / wall;
  return out;
}

double number(const Table& table, const std::string& id, std::size_t row) {
  const Column* column = table.column(id);
  if (column == nullptr) {
    ADD_FAILURE() << "no column " << id;
    return std::nan("");
  }
  return std::get<std::vector<double>>(column->cells)[row];
}

void expect_channel(const Table& table, const std::string& id, const Labels& labels,
                    const Volume& of) {
  const std::uint32_t of_row[2] = {3, 9};
  for (std::size_t row = 0; row < 2; ++row) {
    SCOPED_TRACE(testing::Message() << "channel " << id << ", label " << of_row[row]);
    const Expected e = expected_of(labels, of, of_row[row]);
    EXPECT_NEAR(number(table, "mean_" + id, row), e.mean, 1e-9);
    EXPECT_NEAR(number(table, "deviation_" + id, row), e.deviation, 1e-6);
    EXPECT_EQ(number(table, "minimum_" + id, row), e.minimum);
    EXPECT_EQ(number(table, "maximum_" + id, row), e.maximum);
    EXPECT_EQ(number(table, "sum_" + id, row), e.sum);
    EXPECT_NEAR(number(table, "wall_mean_" + id, row), e.wall_mean, 1e-9);
  }
}

class CellChannels : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(write_tiff(image(1), path("own.tif")).ok());
    ASSERT_TRUE(write_tiff(image(5), path("five.tif")).ok());
    ASSERT_TRUE(write_tiff(image(6), path("six.tif")).ok());
  }
  std::string path(const char* name) { return (folder_ / name).string(); }
  static std::shared_ptr<const Dataset> labelled() {
    Volume volume = image(1);
    volume.labels = std::make_shared<const Labels>(boxes());
    return Dataset::create(std::move(volume));
  }
  static Operation with(const std::string& files) { return {"cells", {{"channels", files}}}; }
  static Result<Measurement> measured(const Dataset& input, const Operation& operation) {
    return cpu_backend()->measure(*complete(operation), input, {});
  }

  test::TemporaryFolder folder_;
};

TEST_F(CellChannels, AreMeasuredAfterTheImageItself) {
  const auto input = labelled();
  const auto found = measured(*input, with(path("five.tif") + "; " + path("six.tif")));
  ASSERT_TRUE(found.ok()) << found.error().message();
  const Table& table = found->tables.front();
  expect_channel(table, "own", boxes(), image(1));
  expect_channel(table, "five_tif", boxes(), image(5));
  expect_channel(table, "six_tif", boxes(), image(6));
  EXPECT_EQ(table.column("mean_own")->label, "Mean of own");
  EXPECT_EQ(table.column("mean_five_tif")->label, "Mean of five.tif");
  EXPECT_EQ(table.column("wall_mean_six_tif")->label, "Mean on the wall of six.tif");
  // Without them, columns are what they were before.
  const auto plain = measured(*input, {"cells", {}});
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(plain->tables.front().column("mean_own"), nullptr);
  EXPECT_EQ(number(plain->tables.front(), "mean", 1), number(table, "mean_own", 1));
}

TEST_F(CellChannels, TheImageItselfIsNotMeasuredTwice) {
  const auto found = measured(*labelled(), with(path("own.tif") + ";" + path("six.tif")));
  ASSERT_TRUE(found.ok()) << found.error().message();
  expect_channel(found->tables.front(), "six_tif", boxes(), image(6));
  EXPECT_EQ(found->tables.front().column("mean_own_tif"), nullptr);
}

TEST_F(CellChannels, CellsOfParticlesHaveThemInTheirPixels) {
  const auto run =
      execute({{"convert", {{"rel_error", 0.01}}}}, Dataset::create(image(1)), *cpu_backend());
  ASSERT_TRUE(run.ok());
  Apr apr = run->data->apr();
  const auto carried = particle_labels(*apr.access, boxes());
  ASSERT_TRUE(carried.ok());
  apr.labels = std::make_shared<const Labels>(*carried);
  const auto input = Dataset::create(apr);
  const auto found = measured(*input, with(path("five.tif")));
  ASSERT_TRUE(found.ok()) << found.error().message();
  const auto pixels = pixel_labels(*apr.access, *carried);
  ASSERT_TRUE(pixels.ok());
  expect_channel(found->tables.front(), "five_tif", *pixels, image(5));
}

TEST_F(CellChannels, WhatIsNoChannelIsAnErrorThatNamesTheFile) {
  Volume small = image(1);
  small.pixels = Pixels<std::uint8_t>({6, 8, 8});
  ASSERT_TRUE(write_tiff(small, path("small.tif")).ok());
  for (const char* name : {"small.tif", "none.tif"}) {
    const auto found = measured(*labelled(), with(path("five.tif") + ";" + path(name)));
    ASSERT_FALSE(found.ok()) << name;
    EXPECT_NE(found.error().message().find(name), std::string::npos) << found.error().message();
  }
}

}  // namespace
}  // namespace aprscope
