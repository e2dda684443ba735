// Components by runs against flooding, pixel by pixel.
#include "core/cells/connected_components.hpp"

#include <random>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/cells/component_runs.hpp"
#include "tests/core/cells/naive_components.hpp"

namespace aprscope {
namespace {

constexpr Connectivity kAll[] = {Connectivity::faces, Connectivity::edges, Connectivity::corners};

Pixels<std::uint8_t> noise(const Size3& size, double share, std::uint64_t seed) {
  Pixels<std::uint8_t> mask(size);
  std::mt19937_64 random(seed);
  for (auto& value : mask.values) {
    const bool in = static_cast<double>(random() >> 11U) * 0x1p-53 < share;
    // Any value but zero is an object.
    value = in ? static_cast<std::uint8_t>(1 + random() % 255) : std::uint8_t{0};
  }
  return mask;
}

class WithThreads {
 public:
  explicit WithThreads(int threads) { set_thread_count(threads); }
  WithThreads(const WithThreads&) = delete;
  WithThreads& operator=(const WithThreads&) = delete;
  ~WithThreads() { set_thread_count(0); }
};

TEST(ConnectedComponents, AreThoseOfFloodingInItsOrder) {
  std::uint64_t seed = 1;
  for (const Size3 size :
       {Size3{1, 1, 1}, Size3{1, 1, 200}, Size3{1, 23, 70}, Size3{5, 6, 7}, Size3{7, 5, 64},
        Size3{4, 7, 65}, Size3{3, 1, 130}, Size3{9, 8, 127}, Size3{40, 3, 1}, Size3{2, 9, 129}}) {
    for (const double share : {0.03, 0.1, 0.25, 0.35, 0.5, 0.75, 0.95}) {
      const auto mask = noise(size, share, seed++);
      for (const Connectivity connectivity : kAll) {
        const auto found = connected_components(mask, connectivity);
        ASSERT_TRUE(found.ok());
        const Labels wanted = test::naive_components(mask, connectivity);
        ASSERT_EQ(found->largest, wanted.largest) << seed << " " << static_cast<int>(connectivity);
        ASSERT_EQ(found->values, wanted.values) << seed << " " << static_cast<int>(connectivity);
      }
    }
  }
}

TEST(ConnectedComponents, SlabsAndThreadsLeaveNoTrace) {
  // Large enough for several slabs.
  const auto mask = noise({37, 150, 200}, 0.32, 5);
  for (const Connectivity connectivity : kAll) {
    const Labels wanted = test::naive_components(mask, connectivity);
    for (const int threads : {1, 2, 3, 7}) {
      const WithThreads with(threads);
      const auto found = connected_components(mask, connectivity);
      ASSERT_TRUE(found.ok());
      EXPECT_EQ(*found, wanted) << threads;
    }
  }
  const auto slice = noise({1, 1500, 900}, 0.4, 6);
  for (const Connectivity connectivity : kAll) {
    const auto found = connected_components(slice, connectivity);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(*found, test::naive_components(slice, connectivity));
  }
}

TEST(ConnectedComponents, EmptyFullAndOneVoxel) {
  for (const Connectivity connectivity : kAll) {
    Pixels<std::uint8_t> mask(Size3{6, 7, 80});
    auto found = connected_components(mask, connectivity);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found->largest, 0U);
    EXPECT_EQ(found->values, std::vector<std::uint32_t>(mask.values.size(), 0));
    mask.at(3, 3, 79) = 9;
    found = connected_components(mask, connectivity);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found->largest, 1U);
    EXPECT_EQ(std::count(found->values.begin(), found->values.end(), 1U), 1);
    EXPECT_EQ(found->values[mask.index(3, 3, 79)], 1U);
    std::fill(mask.values.begin(), mask.values.end(), std::uint8_t{1});
    found = connected_components(mask, connectivity);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found->values, std::vector<std::uint32_t>(mask.values.size(), 1));
  }
}

TEST(ConnectedComponents, MoreThanU16Tells) {
  // 70 304 single voxels that share corners only with holes between them.
  Pixels<std::uint8_t> mask(Size3{52, 104, 104});
  for (std::int64_t z = 0; z < 52; z += 2) {
    for (std::int64_t x = 0; x < 104; x += 2) {
      for (std::int64_t y = 0; y < 104; y += 2) mask.at(z, x, y) = 1;
    }
  }
  for (const Connectivity connectivity : kAll) {
    const auto found = connected_components(mask, connectivity);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found->largest, 70304U);
    EXPECT_EQ(found->values[mask.index(50, 102, 102)], 70304U);
    EXPECT_EQ(found->values[mask.index(0, 0, 2)], 2U);
  }
}

TEST(ConnectedComponents, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const auto found = connected_components(noise({20, 30, 40}, 0.5, 3), Connectivity::faces,
                                          JobContext(stop.get_token()));
  ASSERT_FALSE(found.ok());
  EXPECT_TRUE(found.error().cancelled());
}

TEST(ComponentRuns, TellWhatIsAtTheBorder) {
  for (const Size3 size : {Size3{6, 9, 70}, Size3{1, 30, 66}}) {
    const auto mask = noise(size, 0.2, 17);
    for (const Connectivity connectivity : kAll) {
      const Labels labels = test::naive_components(mask, connectivity);
      std::vector<std::uint8_t> wanted(labels.largest + 1, 0);
      for (std::int64_t z = 0; z < size.z; ++z) {
        for (std::int64_t x = 0; x < size.x; ++x) {
          for (std::int64_t y = 0; y < size.y; ++y) {
            const bool at = x == 0 || y == 0 || x + 1 == size.x || y + 1 == size.y ||
                            (size.z > 1 && (z == 0 || z + 1 == size.z));
            if (at) wanted[labels.values[mask.index(z, x, y)]] = 1;
          }
        }
      }
      wanted[0] = 0;
      const auto runs = ComponentRuns::of(mask.values, size, MaskSide::set, connectivity);
      ASSERT_TRUE(runs.ok());
      EXPECT_EQ(runs->at_border(), wanted);
    }
  }
}

TEST(ComponentRuns, OfWhatIsClearAreThoseOfTheOtherMask) {
  const auto mask = noise({5, 6, 90}, 0.4, 23);
  Pixels<std::uint8_t> other(mask.size);
  for (std::size_t i = 0; i < mask.values.size(); ++i) other.values[i] = mask.values[i] == 0;
  for (const Connectivity connectivity : kAll) {
    const auto runs = ComponentRuns::of(mask.values, mask.size, MaskSide::clear, connectivity);
    ASSERT_TRUE(runs.ok());
    std::vector<std::uint32_t> found(mask.values.size(), 0);
    for (std::int64_t z = 0; z < 5; ++z) {
      for (std::int64_t x = 0; x < 6; ++x) {
        runs->each_run(z, x, [&](std::int64_t begin, std::int64_t end, std::uint32_t label) {
          for (std::int64_t y = begin; y < end; ++y) found[mask.index(z, x, y)] = label;
        });
      }
    }
    EXPECT_EQ(found, test::naive_components(other, connectivity).values);
  }
}

}  // namespace
}  // namespace aprscope
