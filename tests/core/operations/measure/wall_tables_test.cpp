// Grey values on walls in the tables of cells and contacts.
#include "core/operations/measure/wall_tables.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "core/pipeline/backend.hpp"
#include "tests/core/cells/label_phantoms.hpp"

namespace aprscope {
namespace {

constexpr Size3 kSize{2, 4, 9};

// Two rooms of 4 × 4 pixels in each slice with a wall of one pixel at y = 4, which belongs to the
// second; it is 900 but for a gap of 300 at (1, 2, 4).
std::shared_ptr<const Dataset> rooms(bool dark) {
  Pixels<std::uint16_t> grey(kSize, 100);
  for (std::int64_t z = 0; z < kSize.z; ++z) {
    for (std::int64_t x = 0; x < kSize.x; ++x) grey.at(z, x, 4) = 900;
  }
  grey.at(1, 2, 4) = 300;
  if (dark) {
    for (auto& v : grey.values) v = static_cast<std::uint16_t>(1000 - v);
  }
  Volume volume;
  volume.name = "rooms";
  volume.pixels = std::move(grey);
  volume.voxel = {1.0, 0.5, 0.5, "µm"};
  volume.labels = std::make_shared<const Labels>(test::labels_of(
      test::painted(kSize, [](auto, auto, auto y) -> std::uint32_t { return y < 4 ? 1 : 2; })));
  return Dataset::create(std::move(volume));
}

double number(const Table& table, const std::string& id, std::size_t row) {
  const Column* column = table.column(id);
  if (column == nullptr) {
    ADD_FAILURE() << "no column " << id;
    return std::nan("");
  }
  return std::get<std::vector<double>>(column->cells)[row];
}

TEST(WallTables, SayWhereAWallIsWeakest) {
  for (const bool dark : {false, true}) {
    SCOPED_TRACE(dark);
    const auto turned = [&](double v) { return dark ? 1000.0 - v : v; };
    const auto found = cpu_backend()->measure(
        *complete({"cells", {{"walls", true}, {"dark_walls", dark}}}), *rooms(dark), {});
    ASSERT_TRUE(found.ok()) << found.error().message();
    const Table& cells = found->tables[0];
    // The first has only pixels beside the wall, the second the wall itself.
    EXPECT_EQ(number(cells, "wall_median", 0), turned(100.0));
    EXPECT_EQ(number(cells, "wall_median", 1), turned(900.0));
    EXPECT_EQ(number(cells, "wall_weakest", 1), turned(300.0));
    EXPECT_NEAR(number(cells, "wall_deviation", 1), std::sqrt(7.0 / 64.0) * 600.0, 1e-9);
    const Table& contacts = found->tables[2];
    ASSERT_EQ(contacts.id, "contacts");
    ASSERT_EQ(contacts.rows(), 1U);
    EXPECT_EQ(number(contacts, "wall_mean", 0), turned((7.0 * 900.0 + 300.0) / 8.0));
    EXPECT_EQ(number(contacts, "wall_weakest", 0), turned(300.0));
    EXPECT_EQ(number(contacts, "weakest_z", 0), 1.0);
    EXPECT_EQ(number(contacts, "weakest_x", 0), 2.0);
    EXPECT_EQ(number(contacts, "weakest_y", 0), 4.0);
  }
}

// A row of five rooms of 8 pixels; the wall between the last two is nearly as dark as they are.
TEST(WallTables, ACellWithAWeakWallIsSuspicious) {
  constexpr Size3 kRow{8, 8, 40};
  Pixels<std::uint16_t> grey(kRow, 100);
  for (std::int64_t z = 0; z < kRow.z; ++z) {
    for (std::int64_t x = 0; x < kRow.x; ++x) {
      for (std::int64_t room = 1; room < 5; ++room) grey.at(z, x, 8 * room) = room < 4 ? 900 : 130;
    }
  }
  Volume volume;
  volume.pixels = std::move(grey);
  volume.labels = std::make_shared<const Labels>(test::labels_of(test::painted(
      kRow, [](auto, auto, auto y) { return static_cast<std::uint32_t>(y / 8 + 1); })));
  const auto rooms = Dataset::create(std::move(volume));
  for (const bool walls : {false, true}) {
    const auto found = cpu_backend()->measure(*complete({"cells", {{"walls", walls}}}), *rooms, {});
    ASSERT_TRUE(found.ok()) << found.error().message();
    const auto& reasons =
        std::get<std::vector<std::string>>(found->tables[0].column("reason")->cells);
    EXPECT_EQ(reasons[1], "border");
    EXPECT_EQ(reasons[3], walls ? "weak walls" : "border");
    EXPECT_EQ(reasons[4], walls ? "weak walls" : "border");
  }
}

TEST(WallTables, AreNotMadeUnlessTheyAreAskedFor) {
  const auto found = cpu_backend()->measure(*complete({"cells", {}}), *rooms(false), {});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->tables[0].column("wall_median"), nullptr);
  EXPECT_EQ(found->tables[2].column("wall_mean"), nullptr);
}

TEST(WallTables, AreEmptyWhereACellHasNoWall) {
  Table cells;
  cells.columns.push_back({"label", "Label", "", std::vector<std::int64_t>{3, 5}});
  WallStatistics wall;
  wall.a = 5;
  wall.median = 7.0;
  add_walls({wall}, cells);
  EXPECT_TRUE(std::isnan(number(cells, "wall_median", 0)));
  EXPECT_EQ(number(cells, "wall_median", 1), 7.0);
}

TEST(WallTables, KnowWhetherWallsAreDark) {
  EXPECT_FALSE(has_dark_walls({}));
  EXPECT_FALSE(has_dark_walls({{"watershed", {{"dark", false}}}, {"cells", {}}}));
  EXPECT_TRUE(has_dark_walls({{"watershed", {{"dark", true}}}, {"cells", {}}}));
  // The last one counts, and objects may be dark without walls that are.
  EXPECT_FALSE(has_dark_walls({{"watershed", {{"dark", true}}}, {"watershed", {}}}));
  EXPECT_FALSE(
      has_dark_walls({{"watershed", {{"dark", true}, {"signal", std::string("distance")}}}}));
}

}  // namespace
}  // namespace aprscope
