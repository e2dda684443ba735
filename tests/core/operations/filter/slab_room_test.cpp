#include "core/operations/filter/slab_room.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/random_apr.hpp"

namespace aprscope::test {
namespace {

// A slab of 24 slices with 8 more on either side; particles of several levels are repeated in it.
AprPart slab_with(const Apr& apr, std::span<const float> values) {
  const LinearAccess& cells = apr.access->particles();
  const int coarsest = apr.access->level_max() - 2;
  std::vector<std::uint64_t> ends;
  const auto slices = [&](int level, std::int64_t z0, std::int64_t z1) -> Result<LevelSlices> {
    const auto wide = static_cast<std::uint64_t>(cells.grid(level).x);
    const std::uint64_t first = cells.first_row(level) + static_cast<std::uint64_t>(z0) * wide;
    ends.clear();
    for (std::uint64_t r = 0; r <= static_cast<std::uint64_t>(z1 - z0) * wide; ++r) {
      ends.push_back(cells.xz_end()[first - 1 + r]);
    }
    const std::uint64_t count = ends.back() - ends.front();
    return LevelSlices{ends, cells.y().subspan(ends.front(), count),
                       values.subspan(ends.front(), count)};
  };
  SlabSource source{apr.access->size(), apr.access->level_max(), &cells, values, slices};
  source.origins = true;
  auto part = slab_of(source, coarsest, 8, 48, 16, 40);
  EXPECT_TRUE(part.ok()) << part.error().message();
  return *std::move(part);
}

TEST(SlabRoom, GivesKeptSlabsWithOtherValues) {
  const Apr apr = random_apr({{70, 40, 52}, 3, 0.6, true});
  std::vector<float> values(apr.access->count());
  std::iota(values.begin(), values.end(), 1.0F);
  SlabRoom room(std::uint64_t{1} << 30U);
  EXPECT_FALSE(room.part(7, values));
  room.give(7, slab_with(apr, values));
  EXPECT_FALSE(room.part(6, values));
  for (float& value : values) value = -2.0F * value;
  const AprPart wanted = slab_with(apr, values);
  // More than once.
  for (int i = 0; i < 2; ++i) {
    auto part = room.part(7, values);
    ASSERT_TRUE(part);
    EXPECT_TRUE(std::ranges::any_of(part->origins, [](const auto& run) { return run.repeated; }));
    EXPECT_FALSE(room.part(7, values)) << "it is given away";
    EXPECT_EQ(part->values, wanted.values);
    EXPECT_EQ(part->access->particles(), wanted.access->particles());
    EXPECT_EQ(part->level_shift, wanted.level_shift);
    ASSERT_EQ(part->kept.size(), wanted.kept.size());
    EXPECT_EQ(part->kept.back().to, wanted.kept.back().to);
    room.give(7, *std::move(part));
  }
}

TEST(SlabRoom, KeepsWhatThereIsRoomFor) {
  const Apr apr = random_apr({{70, 40, 52}, 3, 0.6, true});
  const std::vector<float> values(apr.access->count());
  const std::uint64_t bytes = slab_with(apr, values).access->bytes();
  // Room for two structures and their lists, and not for three.
  SlabRoom room(bytes * 14 / 5);
  for (int i = 0; i < 5; ++i) room.give(i, slab_with(apr, values));
  EXPECT_TRUE(room.part(0, values));
  EXPECT_FALSE(room.part(2, values));
  EXPECT_FALSE(room.part(4, values));
  SlabRoom none(0);
  none.give(0, slab_with(apr, values));
  EXPECT_FALSE(none.part(0, values));
}

TEST(SlabRoom, ListsAreOfTheLengthThatIsAskedFor) {
  SlabRoom room(0);
  for (const std::size_t count : {5U, 100U, 3U}) {
    EXPECT_EQ(room.tree(count).size(), count);
    EXPECT_EQ(room.results(count).size(), count);
  }
}

}  // namespace
}  // namespace aprscope::test
