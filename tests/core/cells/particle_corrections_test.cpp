// Corrections of particles against those of the pixels that they stand for.
#include "core/cells/particle_corrections.hpp"

#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "core/cells/correction_points.hpp"
#include "core/cells/particle_records.hpp"
#include "tests/core/cells/label_phantoms.hpp"
#include "tests/core/cells/pixel_flood.hpp"
#include "tests/support/random_apr.hpp"
#include "tests/support/sanitized.hpp"

namespace aprscope {
namespace {

const VoxelSize kVoxel{2.0, 0.5, 0.5, "µm"};

// Particles with labels of a tissue, and where they lie.
struct Case {
  std::shared_ptr<const AprAccess> access;
  Labels labels;
  std::vector<float> values;
  test::ParticleMap map;
  // By particle: its cell in the image.
  std::vector<Region> cells;
};

Case tissue_case(const test::RandomAprOptions& options, int cells) {
  Case out;
  out.access = test::random_access(options);
  out.values = test::random_values(out.access->count(), options.seed, 0.0F, 9.0F, true);
  out.map = test::particle_map(*out.access);
  const Size3 n = options.size;
  out.cells.resize(out.access->count());
  std::vector<bool> met(out.cells.size(), false);
  for (std::int64_t i = 0; i < n.count(); ++i) {
    const auto particle = out.map.index.values[static_cast<std::size_t>(i)];
    const Index3 p{i / n.y / n.x, i / n.y % n.x, i % n.y};
    Region& cell = out.cells[particle];
    if (!met[particle]) cell.begin = p;
    met[particle] = true;
    cell.end = {p.z + 1, p.x + 1, p.y + 1};
  }
  const auto pixels = test::tissue(n, cells, static_cast<unsigned>(options.seed));
  for (const Region& cell : out.cells) {
    out.labels.values.push_back(pixels.at(cell.begin.z, cell.begin.x, cell.begin.y));
    out.labels.largest = std::max(out.labels.largest, out.labels.values.back());
  }
  for (const std::uint32_t label : {1U, 2U, 3U}) {
    LabelFinding one;
    one.label = label;
    one.leak_radius = 0.5;
    out.labels.findings.push_back(one);
  }
  return out;
}

// Labels after the same correction of pixels, each particle with that of its middle pixel.
Result<Labels> by_pixels(const Case& of, const Correction& asked) {
  Labels pixels = of.labels;
  pixels.values = test::painted(*of.access, of.labels.values).values;
  const AnyPixels signal = test::painted(*of.access, of.values);
  const auto change = correction(asked, pixels, signal, kVoxel);
  if (!change) return change.error();
  change->apply(pixels);
  Labels out = pixels;
  out.values.clear();
  const Size3 n = of.access->size();
  for (const Region& cell : of.cells) {
    const Index3 p{(cell.begin.z + cell.end.z) / 2, (cell.begin.x + cell.end.x) / 2,
                   (cell.begin.y + cell.end.y) / 2};
    out.values.push_back(pixels.values[static_cast<std::size_t>((p.z * n.x + p.x) * n.y + p.y)]);
  }
  return out;
}

bool holds(const Region& box, const Region& cell) {
  return box.begin.z <= cell.begin.z && box.begin.x <= cell.begin.x &&
         box.begin.y <= cell.begin.y && box.end.z >= cell.end.z && box.end.x >= cell.end.x &&
         box.end.y >= cell.end.y;
}

// Whether it was made; both ways of finding it.
bool check(const Case& of, const Correction& asked) {
  const auto expected = by_pixels(of, asked);
  const auto records = particle_records(*of.access, of.labels.values, of.labels.largest, {});
  const auto found =
      particle_correction(asked, *of.access, of.labels, of.values, kVoxel, &*records);
  const auto looked_for = particle_correction(asked, *of.access, of.labels, of.values, kVoxel);
  EXPECT_EQ(found.ok(), expected.ok());
  EXPECT_EQ(looked_for.ok(), expected.ok());
  if (!expected || !found || !looked_for) {
    if (!expected && !found) {
      EXPECT_EQ(found.error().message(), expected.error().message());
    }
    return false;
  }
  EXPECT_EQ(looked_for->runs, found->runs);
  Labels labels = of.labels;
  found->apply(labels);
  EXPECT_EQ(labels, *expected);
  std::set<std::uint32_t> changed;
  for (std::size_t i = 0; i < labels.values.size(); ++i) {
    if (labels.values[i] == of.labels.values[i]) continue;
    changed.insert(labels.values[i]);
    changed.insert(of.labels.values[i]);
    EXPECT_TRUE(holds(found->box, of.cells[i]));
  }
  changed.erase(0);
  EXPECT_EQ(found->labels, std::vector<std::uint32_t>(changed.begin(), changed.end()));
  found->revert(labels);
  EXPECT_EQ(labels, of.labels);
  return true;
}

TEST(ParticleCorrections, AreThoseOfThePixels) {
  std::map<CorrectionAction, int> made;
  std::mt19937_64 random(5);
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const bool flat = seed == 4;
    const Size3 n = flat ? Size3{1, 60, 45} : Size3{18, 33, 27};
    const Case of = tissue_case({n, seed, 0.6, seed != 2}, 18);
    for (int i = 0; i < (test::kSanitized ? 50 : 120); ++i) {
      Correction asked;
      asked.action = static_cast<CorrectionAction>(i % 10);
      const auto within = [&](std::int64_t most) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
      };
      const std::size_t points = 1 + random() % 3;
      while (asked.points.size() < points) {
        const Index3 p{within(n.z), within(n.x), within(n.y)};
        asked.points.push_back(p);
      }
      const auto label = [&](const Index3& p) {
        return of.labels.values[of.map.index.at(p.z, p.x, p.y)];
      };
      // A cell is divided from two places in it, and made where there is none.
      const auto more_where = [&](const auto& good) {
        for (int k = 0; k < 300; ++k) {
          const Index3 p{within(n.z), within(n.x), within(n.y)};
          if (good(label(p))) return asked.points.push_back(p);
        }
      };
      if (asked.action == CorrectionAction::split) {
        asked.points.resize(1);
        const std::uint32_t its = label(asked.points.front());
        more_where([&](std::uint32_t one) { return one == its; });
      } else if (asked.action == CorrectionAction::create) {
        asked.points.clear();
        for (int k = 0; k < 2; ++k) more_where([](std::uint32_t one) { return one == 0; });
      }
      asked.radius = i % 20 < 10 ? 1.0 + static_cast<double>(random() % 3) : 0.0;
      asked.slices = i % 3 == 0 ? 1 : -1;
      asked.dark_walls = i % 2 == 0;
      made[asked.action] += check(of, asked) ? 1 : 0;
    }
  }
  // Cells of such tissue have hardly any holes: see the next test.
  for (int i = 0; i < 10; ++i) {
    if (static_cast<CorrectionAction>(i) == CorrectionAction::fill_holes) continue;
    EXPECT_GT(made[static_cast<CorrectionAction>(i)], test::kSanitized ? 2 : 5) << i;
  }
}

TEST(ParticleCorrections, FillHolesOfCellsThatAreEnclosed) {
  Case of = tissue_case({{20, 20, 20}, 7, 0.9, true}, 1);
  for (std::size_t i = 0; i < of.cells.size(); ++i) {
    const Region& cell = of.cells[i];
    const bool hole = cell.begin.z >= 8 && cell.end.z <= 13 && cell.begin.x >= 8 &&
                      cell.end.x <= 13 && cell.begin.y >= 8 && cell.end.y <= 13;
    of.labels.values[i] = hole ? 0 : 4;
  }
  of.labels.largest = 4;
  EXPECT_TRUE(check(of, {CorrectionAction::fill_holes, {{1, 1, 1}}}));
  EXPECT_TRUE(check(of, {CorrectionAction::create, {{10, 10, 10}}}));
}

TEST(ParticleCorrections, SayWhatIsWrong) {
  const Case of = tissue_case({{9, 14, 11}, 5, 0.6, false}, 4);
  const auto refused = [&](const Correction& asked, const char* what) {
    const auto got = particle_correction(asked, *of.access, of.labels, of.values, kVoxel);
    ASSERT_FALSE(got.ok());
    EXPECT_NE(got.error().message().find(what), std::string::npos) << got.error().message();
  };
  refused({CorrectionAction::merge, {{0, 0, 0}, {0, 0, 0}}}, "one cell");
  refused({CorrectionAction::remove, {{0, 14, 0}}}, "outside");
  refused({CorrectionAction::remove, {}}, "no point");
  refused({CorrectionAction::grow, {{0, 0, 0}}}, "radius");
  Labels few;
  const auto other = particle_correction({CorrectionAction::remove, {{0, 0, 0}}}, *of.access, few,
                                         of.values, kVoxel);
  EXPECT_FALSE(other.ok());
}

TEST(CorrectionPoints, AreLabelsEachOnceOrRefused) {
  const std::vector<Index3> points{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  EXPECT_EQ(*labels_meant(points, std::vector<std::uint32_t>{5, 2, 5}),
            (std::vector<std::uint32_t>{5, 2}));
  EXPECT_NE(labels_meant(points, std::vector<std::uint32_t>{5, 0, 5})
                .error()
                .message()
                .find("z 4, x 5, y 6"),
            std::string::npos);
  EXPECT_FALSE(labels_to_merge(points, std::vector<std::uint32_t>{5, 5, 5}).ok());
}

}  // namespace
}  // namespace aprscope
