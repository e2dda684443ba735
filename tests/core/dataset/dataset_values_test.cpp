#include "core/dataset/dataset_values.hpp"

#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/dataset/dataset.hpp"
#include "core/pipeline/backend.hpp"
#include "tests/core/pipeline/data_builders.hpp"

namespace aprscope {
namespace {

TEST(DatasetValues, SharesValuesThatAreFloatsAlready) {
  const auto pixels = Dataset::create(test::image_of({4, 4, 4}, test::rough));
  const auto& own = std::get<Pixels<float>>(pixels->volume().pixels);
  EXPECT_EQ(pixels->values().pixels().values.data(), own.values.data());
  const auto apr = Dataset::create(test::uniform_apr({4, 4, 4}, 2, test::rough));
  const auto& field = std::get<std::vector<float>>(apr->apr().main_field()->values);
  EXPECT_EQ(apr->values().particles().data(), field.data());
  EXPECT_EQ(apr->bytes(), apr->apr().bytes());
}

TEST(DatasetValues, ConvertsIntegersOnce) {
  Volume image;
  Pixels<std::uint16_t> counts({2, 2, 2}, 7);
  counts.values[5] = 65535;
  image.pixels = counts;
  const auto data = Dataset::create(image);
  const std::uint64_t before = data->bytes();
  const Pixels<float>& pixels = data->values().pixels();
  EXPECT_EQ(pixels.values[5], 65535.0F);
  EXPECT_EQ(pixels.values[0], 7.0F);
  EXPECT_EQ(&pixels, &data->values().pixels());
  EXPECT_EQ(data->bytes(), before + 8 * sizeof(float));
}

TEST(DatasetValues, TreeHoldsMeansOfTheParticles) {
  // 8 fine cells make one interior cell of level 0 here: their mean.
  const auto data = Dataset::create(test::uniform_apr(
      {2, 2, 2}, 1, [](auto z, auto x, auto y) { return static_cast<double>(4 * z + 2 * x + y); }));
  ASSERT_EQ(data->values().tree_mean().size(), 1U);
  EXPECT_FLOAT_EQ(data->values().tree_mean()[0], 3.5F);
}

TEST(DatasetValues, AFirstFilterLeavesTheMeansOfTheTreeAndTheResultIsThatOfALaterOne) {
  const auto make = [] { return Dataset::create(test::two_level_apr(16, test::rough)); };
  const auto fresh = make();
  const auto known = make();
  const std::vector<float> means = known->values().tree_mean();
  ASSERT_FALSE(fresh->values().has_tree_mean());
  const Operation gaussian = *complete({"gaussian", {}});
  const auto first = cpu_backend()->run(gaussian, *fresh, {});
  const auto later = cpu_backend()->run(gaussian, *known, {});
  ASSERT_TRUE(first.ok() && later.ok());
  EXPECT_EQ(Dataset::create(*first)->values().particles(),
            Dataset::create(*later)->values().particles());
  ASSERT_TRUE(fresh->values().has_tree_mean());
  EXPECT_EQ(fresh->values().tree_mean(), means);
}

TEST(DatasetValues, CountsValuesThatAreNotFinite) {
  const auto image = Dataset::create(test::image_of({4, 4, 4}, [](auto z, auto x, auto y) {
    return (z == 2 && x == 1 && y == 3) || z == 3 ? INFINITY : 1.0;
  }));
  EXPECT_EQ(image->values().non_finite().count, 17U);
  EXPECT_EQ(image->values().non_finite().first, (Index3{2, 1, 3}));
  // In an APR the order of particles is coarse to fine; the cell starts at twice its index.
  const auto apr = Dataset::create(test::two_level_apr(
      8, [](auto z, auto x, auto y) { return z == 3 && x == 1 && y == 2 ? NAN : 1.0; }));
  EXPECT_EQ(apr->values().non_finite().count, 2U);
  EXPECT_EQ(apr->values().non_finite().first, (Index3{6, 2, 4}));
  EXPECT_EQ(Dataset::create(test::two_level_apr(8, test::rough))->values().non_finite().count, 0U);
}

TEST(DatasetValues, ManyThreadsGetTheSameDerivedData) {
  const auto data = Dataset::create(test::two_level_apr(16, test::rough));
  std::vector<const void*> seen(8);
  {
    std::vector<std::jthread> threads;
    for (auto& slot : seen) {
      threads.emplace_back([&slot, &data] {
        slot = data->values().tree_mean().data();
        (void)data->bytes();
        (void)data->values().non_finite();
      });
    }
  }
  for (const void* pointer : seen) EXPECT_EQ(pointer, seen.front());
}

}  // namespace
}  // namespace aprscope
