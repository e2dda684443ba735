#include "core/apr/structure/crop.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/image/labels.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope::test {
namespace {

std::string text_of(const Region& box) {
  return std::to_string(box.begin.z) + ":" + std::to_string(box.end.z) + "," +
         std::to_string(box.begin.x) + ":" + std::to_string(box.end.x) + "," +
         std::to_string(box.begin.y) + ":" + std::to_string(box.end.y);
}

// Every pixel's particle of a box of the whole image.
Pixels<std::uint64_t> cut(const Pixels<std::uint64_t>& from, const Region& box) {
  Pixels<std::uint64_t> out(box.size());
  for (std::int64_t z = 0; z < out.size.z; ++z) {
    for (std::int64_t x = 0; x < out.size.x; ++x) {
      for (std::int64_t y = 0; y < out.size.y; ++y) {
        out.at(z, x, y) = from.at(box.begin.z + z, box.begin.x + x, box.begin.y + y);
      }
    }
  }
  return out;
}

// How many cells the coarsest grid has whose cells each lie in one particle and are no coarser than
// it, by trying them all: from the pixels.
std::uint64_t fewest_cells(const Pixels<std::uint64_t>& particle, const Pixels<int>& shift_of) {
  const Size3& n = particle.size;
  const int finest = finest_level(n);
  std::uint64_t count = 0;
  const auto visit = [&](const auto& self, int shift, const Index3& at) -> void {
    const std::int64_t side = std::int64_t{1} << shift;
    const Index3 begin{at.z * side, at.x * side, at.y * side};
    if (begin.z >= n.z || begin.x >= n.x || begin.y >= n.y) return;
    const std::uint64_t first = particle.at(begin.z, begin.x, begin.y);
    bool one = shift <= finest - 1 && shift <= shift_of.at(begin.z, begin.x, begin.y);
    for (std::int64_t z = begin.z; one && z < std::min(n.z, begin.z + side); ++z) {
      for (std::int64_t x = begin.x; one && x < std::min(n.x, begin.x + side); ++x) {
        for (std::int64_t y = begin.y; one && y < std::min(n.y, begin.y + side); ++y) {
          one = particle.at(z, x, y) == first;
        }
      }
    }
    if (one) {
      ++count;
      return;
    }
    for (int child = 0; child < 8; ++child) {
      self(self, shift - 1, {at.z * 2 + child / 4, at.x * 2 + child / 2 % 2, at.y * 2 + child % 2});
    }
  };
  visit(visit, finest, {0, 0, 0});
  return count;
}

struct Case {
  Size3 size;
  Region box;
};

class Crop : public testing::TestWithParam<Case> {};

TEST_P(Crop, EachPixelKeepsItsParticleInTheFewestCells) {
  const Size3 size = GetParam().size;
  const Region box = GetParam().box;
  SCOPED_TRACE(text_of(box));
  const Apr apr = random_apr({.size = size, .seed = 11, .split = 0.65, .balanced = false});
  const ParticleMap whole_map = particle_map(*apr.access);
  const auto expected = cut(whole_map.index, box);
  // The particle's number is its value.
  std::vector<std::uint64_t> numbers(apr.access->count());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  Apr numbered = apr;
  numbered.fields.push_back(std::make_shared<const Field>(Field{"number", numbers}));
  numbered.tree_fields = numbered.fields;
  numbered.voxel = {2.0, 0.5, 0.25, "µm"};

  const auto made = crop(numbered, box);
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(made->access->size(), box.size());
  EXPECT_EQ(made->voxel, numbered.voxel);
  EXPECT_TRUE(made->tree_fields.empty());
  ASSERT_EQ(made->fields.size(), 2U);
  const auto& from = std::get<std::vector<std::uint64_t>>(made->fields.back()->values);
  const ParticleMap map = particle_map(*made->access);
  Pixels<int> shift_of(box.size());
  for (std::size_t p = 0; p < expected.values.size(); ++p) {
    ASSERT_EQ(from[map.index.values[p]], expected.values[p]) << p;
  }
  const auto levels = cut(
      [&] {
        Pixels<std::uint64_t> wide(size);
        std::copy(whole_map.level.values.begin(), whole_map.level.values.end(),
                  wide.values.begin());
        return wide;
      }(),
      box);
  std::transform(levels.values.begin(), levels.values.end(), shift_of.values.begin(),
                 [&](std::uint64_t l) { return apr.access->level_max() - static_cast<int>(l); });
  EXPECT_EQ(made->access->count(), fewest_cells(expected, shift_of));
  // The first field in its type.
  const auto& grey = std::get<std::vector<std::uint16_t>>(apr.fields.front()->values);
  const auto& cut_grey = std::get<std::vector<std::uint16_t>>(made->fields.front()->values);
  for (std::size_t i = 0; i < from.size(); ++i) ASSERT_EQ(cut_grey[i], grey[from[i]]);
}

INSTANTIATE_TEST_SUITE_P(Boxes, Crop,
                         testing::Values(Case{{32, 32, 32}, {{0, 0, 0}, {32, 32, 32}}},
                                         Case{{32, 32, 32}, {{8, 16, 8}, {24, 32, 31}}},
                                         Case{{37, 50, 70}, {{3, 5, 7}, {30, 47, 69}}},
                                         Case{{37, 50, 70}, {{36, 49, 69}, {37, 50, 70}}},
                                         Case{{37, 50, 70}, {{16, 16, 16}, {37, 50, 70}}},
                                         Case{{37, 50, 70}, {{0, 2, 64}, {1, 50, 70}}},
                                         Case{{1, 64, 64}, {{0, 4, 12}, {1, 40, 61}}},
                                         Case{{1, 1, 64}, {{0, 0, 20}, {1, 1, 50}}}));

TEST(CropWhole, IsTheSameStructure) {
  const Apr apr = random_apr({.size = {33, 40, 17}, .seed = 2});
  const auto made = crop(apr, whole(apr.access->size()));
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->access->particles(), apr.access->particles());
  EXPECT_EQ(made->main_field()->values, apr.main_field()->values);
}

TEST(CropCells, DoNotDependOnTheNumberOfThreads) {
  const Apr apr = random_apr({.size = {120, 130, 140}, .seed = 5, .split = 0.8});
  ASSERT_GT(apr.access->count(), 65536U);  // more than one thread does alone
  const Region box{{3, 1, 5}, {119, 128, 140}};
  std::optional<Apr> first;
  for (const int threads : {1, 2, 7}) {
    set_thread_count(threads);
    const auto made = crop(apr, box);
    ASSERT_TRUE(made.ok());
    if (!first) first = *made;
    EXPECT_EQ(made->access->particles(), first->access->particles());
    EXPECT_EQ(made->main_field()->values, first->main_field()->values);
  }
  set_thread_count(0);
}

TEST(CropLabels, AreThoseOfThePixels) {
  Apr apr = random_apr({.size = {16, 16, 16}, .seed = 4});
  Labels labels;
  for (std::uint64_t i = 0; i < apr.access->count(); ++i) {
    labels.values.push_back(static_cast<std::uint32_t>(i % 7));
  }
  labels.largest = 6;
  labels.findings = {{.label = 3, .leak_radius = 0.5, .leak_at = {1, 1, 1}}};
  apr.labels = std::make_shared<const Labels>(labels);
  const auto made = crop(apr, {{4, 4, 4}, {12, 13, 14}});
  ASSERT_TRUE(made.ok());
  ASSERT_TRUE(made->labels);
  const auto before = particle_map(*apr.access);
  const auto after = particle_map(*made->access);
  for (std::int64_t z = 0; z < 8; ++z) {
    for (std::int64_t x = 0; x < 9; ++x) {
      for (std::int64_t y = 0; y < 10; ++y) {
        EXPECT_EQ(made->labels->values[after.index.at(z, x, y)],
                  labels.values[before.index.at(z + 4, x + 4, y + 4)]);
      }
    }
  }
  // Places of leaks are those of the whole.
  EXPECT_TRUE(made->labels->findings.empty());
}

TEST(CropBox, MustLieInTheImage) {
  const Apr apr = random_apr({.size = {8, 9, 10}});
  for (const Region& box : {Region{{0, 0, 0}, {9, 9, 10}}, Region{{0, 0, 0}, {8, 9, 11}},
                            Region{{-1, 0, 0}, {8, 9, 10}}, Region{{4, 0, 0}, {4, 9, 10}},
                            Region{{0, 9, 0}, {8, 9, 10}}}) {
    const auto made = crop(apr, box);
    ASSERT_FALSE(made.ok()) << text_of(box);
    EXPECT_NE(made.error().message().find("8 × 9 × 10 pixels"), std::string::npos);
  }
}

TEST(CropRowsOfAFile, ThatAreDamagedAreRefused) {
  const Apr apr = random_apr({.size = {16, 16, 16}, .seed = 4});
  const LinearAccess& cells = apr.access->particles();
  const Region box{{2, 2, 2}, {9, 9, 9}};
  std::vector<CropRows> rows;
  for (int l = 1; l <= cells.level_max(); ++l) {
    const auto count = static_cast<std::size_t>(cells.grid(l).z * cells.grid(l).x);
    const auto ends = cells.xz_end().subspan(cells.first_row(l) - 1, count + 1);
    rows.push_back({l, 0, 0, cells.grid(l).x, ends,
                    cells.y().subspan(ends.front(), ends.back() - ends.front())});
  }
  ASSERT_TRUE(crop_cells(cells.size(), cells.level_max(), box, rows).ok());
  const auto refused = [&](auto&& damage) {
    std::vector<CropRows> bad = rows;
    damage(bad.back());
    const auto made = crop_cells(cells.size(), cells.level_max(), box, bad);
    return !made.ok();
  };
  // Planes that the box needs are missing; fewer y than the rows have.
  EXPECT_TRUE(refused([](CropRows& one) { one.z0 = 3; }));
  EXPECT_TRUE(refused([](CropRows& one) { one.ends = one.ends.first(40); }));
  EXPECT_TRUE(refused([](CropRows& one) { one.y = one.y.first(one.y.size() - 1); }));
  EXPECT_TRUE(refused([](CropRows& one) { one.ends = {}; }));
  EXPECT_TRUE(refused([](CropRows& one) { one.x0 = 3; }));
  EXPECT_TRUE(refused([](CropRows& one) { one.x1 = 8; }));
  EXPECT_TRUE(refused([](CropRows& one) { one.x1 = 0; }));
  // y out of order or of the grid.
  std::vector<std::uint16_t> y(rows.back().y.begin(), rows.back().y.end());
  std::fill(y.begin(), y.end(), std::uint16_t{5});
  EXPECT_TRUE(refused([&](CropRows& one) { one.y = y; }));
}

TEST(Crop, StopsWhenItIsAsked) {
  const Apr apr = random_apr({.size = {16, 16, 16}});
  std::stop_source stop;
  stop.request_stop();
  const auto made = crop(apr, {{1, 1, 1}, {9, 9, 9}}, JobContext(stop.get_token()));
  ASSERT_FALSE(made.ok());
  EXPECT_TRUE(made.error().cancelled());
}

}  // namespace
}  // namespace aprscope::test
