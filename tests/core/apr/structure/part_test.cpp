#include "core/apr/structure/part.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/apr/sample/reconstruction.hpp"
#include "core/apr/structure/tree.hpp"
#include "core/filter/convolution.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

struct Whole {
  std::shared_ptr<const AprAccess> access;
  std::vector<float> values;
  std::vector<float> tree;
  explicit Whole(const test::RandomAprOptions& options)
      : access(test::random_access(options)),
        values(test::random_values(access->count(), 3)),
        tree(*fill_tree(*access, values, Reduction::mean)) {}
};

std::vector<float> filtered(const AprAccess& access, const std::vector<float>& values,
                            const StencilPyramid& pyramid) {
  const auto tree = fill_tree(access, values, Reduction::mean);
  std::vector<float> out(values.size());
  EXPECT_TRUE(
      convolve({&access, values, *tree}, pyramid, Boundary::reflect, whole(access.size()), out)
          .ok());
  return out;
}

// The stencils of the whole, for the levels [first, last] that a part has.
StencilPyramid levels_of(const StencilPyramid& pyramid, int first, int last) {
  std::vector<Stencil> stencils;
  for (int l = first; l <= last; ++l) stencils.push_back(pyramid.at(l));
  return *StencilPyramid::from_levels(std::move(stencils));
}

void copy_kept(const AprPart& part, const std::vector<float>& from, std::vector<float>& to) {
  for (const AprPart::Run& run : part.kept) {
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(run.from), run.count,
                to.begin() + static_cast<std::ptrdiff_t>(run.to));
  }
}

// Neighbourhoods of a filter see in the parts what they see in the whole.
TEST(AprPart, FilteringThePartsFiltersTheWhole) {
  const test::RandomAprOptions cases[] = {{{100, 40, 70}, 3, 0.6, true},
                                          {{64, 130, 33}, 4, 0.55, true},
                                          {{128, 64, 64}, 5, 0.7, false},
                                          {{133, 20, 21}, 6, 0.6, false},
                                          {{97, 5, 300}, 7, 0.6, true}};
  for (const auto& options : cases) {
    const Whole w(options);
    const int level_max = w.access->level_max();
    const auto pyramid = StencilPyramid::create(gaussian_stencil({1, 1, 1}, {5, 5, 5}),
                                                StencilMode::restricted, false, level_max);
    const auto expected = filtered(*w.access, w.values, *pyramid);
    const int coarsest = level_max - 2;
    const std::int64_t side = 4;
    const std::int64_t halo = 2 * side;
    std::vector<float> got(w.values.size(), -1.0F);
    const std::int64_t nz = w.access->size().z;
    for (std::int64_t z = 0; z < nz; z += 8 * side) {
      const std::int64_t end = std::min(nz, z + 8 * side);
      const auto part = slab_of(*w.access, w.values, coarsest, std::max<std::int64_t>(z - halo, 0),
                                std::min(nz, end + halo), z, end);
      ASSERT_TRUE(part.ok()) << part.error().message();
      copy_kept(
          *part,
          filtered(*part->access, part->values, levels_of(*pyramid, part->level_shift, level_max)),
          got);
    }
    const auto coarse = coarse_part_of(*w.access, w.values, w.tree, coarsest);
    ASSERT_TRUE(coarse.ok()) << coarse.error().message();
    copy_kept(*coarse, filtered(*coarse->access, coarse->values, levels_of(*pyramid, 0, coarsest)),
              got);
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], expected[i]) << i;
  }
}

// A box has the particles of the whole, coarse ones repeated, and nothing else.
TEST(AprPart, ABoxIsThatPartOfTheImage) {
  struct Case {
    test::RandomAprOptions options;
    int shift;  // cells of 2^shift pixels
    Region box;
  };
  const Case cases[] = {{{{100, 40, 70}, 3, 0.95, true}, 2, {{8, 4, 12}, {40, 32, 44}}},
                        {{{64, 130, 33}, 4, 0.9, true}, 3, {{0, 64, 8}, {64, 130, 33}}},
                        {{{133, 20, 21}, 6, 0.95, false}, 0, {{57, 3, 5}, {91, 17, 6}}},
                        {{{97, 5, 300}, 7, 0.9, true}, 4, {{0, 0, 0}, {97, 5, 300}}}};
  for (const auto& [options, shift, box] : cases) {
    const Whole w(options);
    const int level_max = w.access->level_max();
    const int coarsest = level_max - shift;
    const auto part = box_of(*w.access, w.values, coarsest, box.begin, box.end);
    ASSERT_TRUE(part.ok()) << part.error().message();
    ASSERT_EQ(part->access->size(), box.size());
    const auto pixels = [&](const AprAccess& access, const std::vector<float>& values,
                            ReconstructionMode mode, const Region& region) {
      return reconstruct(access, values, mode, region)->values;
    };
    EXPECT_EQ(pixels(*part->access, part->values, ReconstructionMode::constant, whole(box.size())),
              pixels(*w.access, w.values, ReconstructionMode::constant, box));
    const auto levels =
        pixels(*part->access, part->values, ReconstructionMode::level, whole(box.size()));
    const auto expected = pixels(*w.access, w.values, ReconstructionMode::level, box);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      ASSERT_EQ(levels[i] + static_cast<float>(part->level_shift),
                std::max(expected[i], static_cast<float>(coarsest)))
          << i;
    }
    // What is kept is there once, with its number in the whole.
    std::vector<float> got(w.values.size(), -1.0F);
    copy_kept(*part, part->values, got);
    std::uint64_t kept = 0;
    for (const AprPart::Run& run : part->kept) kept += run.count;
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] < 0.0F) continue;
      ++found;
      ASSERT_EQ(got[i], w.values[i]);
    }
    EXPECT_EQ(found, kept);
    EXPECT_GT(kept, 0U);
  }
}

TEST(AprPart, ABoxThatCutsCellsIsRefused) {
  const Whole w({{64, 32, 32}, 3, 0.6, true});
  const int level_max = w.access->level_max();
  const auto box = [&](int coarsest, const Index3& begin, const Index3& end) {
    return box_of(*w.access, w.values, coarsest, begin, end).ok();
  };
  EXPECT_TRUE(box(level_max - 2, {4, 8, 0}, {24, 32, 12}));
  EXPECT_FALSE(box(level_max - 2, {4, 9, 0}, {24, 32, 12}));
  EXPECT_FALSE(box(level_max - 2, {4, 8, 0}, {24, 32, 13}));
  EXPECT_FALSE(box(level_max - 2, {4, 8, 0}, {24, 36, 12}));
  EXPECT_FALSE(box(level_max - 2, {4, 8, 4}, {24, 32, 4}));
  EXPECT_FALSE(box(level_max - 2, {-4, 8, 0}, {24, 32, 12}));
  EXPECT_FALSE(box(0, {0, 0, 0}, {64, 32, 32}));
  EXPECT_FALSE(box(level_max + 1, {0, 0, 0}, {64, 32, 32}));
  // Too small a box has no such level.
  EXPECT_FALSE(box(level_max - 4, {0, 0, 0}, {16, 16, 16}));
}

TEST(AprPart, BoundsThatCutCellsAreRefused) {
  const Whole w({{64, 32, 32}, 3, 0.6, true});
  const int level_max = w.access->level_max();
  EXPECT_TRUE(slab_of(*w.access, w.values, level_max - 2, 4, 24, 8, 20).ok());
  EXPECT_FALSE(slab_of(*w.access, w.values, level_max - 2, 2, 24, 8, 20).ok());
  EXPECT_FALSE(slab_of(*w.access, w.values, level_max - 2, 4, 24, 8, 19).ok());
  EXPECT_FALSE(slab_of(*w.access, w.values, level_max - 2, 4, 24, 0, 20).ok());
  EXPECT_FALSE(slab_of(*w.access, w.values, level_max - 2, 40, 68, 44, 60).ok());
  EXPECT_FALSE(slab_of(*w.access, w.values, 0, 0, 64, 0, 64).ok());
}

}  // namespace
}  // namespace aprscope
