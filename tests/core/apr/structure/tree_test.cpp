#include "core/apr/structure/tree.hpp"

#include <cstdint>
#include <limits>
#include <stop_token>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

class Tree : public testing::TestWithParam<std::tuple<Size3, double, bool>> {};

TEST_P(Tree, AgreesWithRecursion) {
  const auto& [size, split, balanced] = GetParam();
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto access = test::random_access({size, seed, split, balanced});
    const auto values = test::random_values(access->count(), seed, -500.0F, 1000.0F);
    for (const Reduction r : {Reduction::mean, Reduction::min, Reduction::max}) {
      const auto tree = fill_tree(*access, values, r);
      ASSERT_TRUE(tree.ok());
      const auto expected = test::naive_tree(*access, values, r);
      ASSERT_EQ(tree->size(), expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        if (r == Reduction::mean) {
          // Rounding of at most eight sums a level, relative to the largest value.
          ASSERT_NEAR((*tree)[i], expected[i], 1e-6 * 1000.0 * access->level_max());
        } else {
          ASSERT_EQ((*tree)[i], expected[i]);
        }
      }
    }
  }
}

TEST_P(Tree, KeepsAConstantExactly) {
  const auto& [size, split, balanced] = GetParam();
  const auto access = test::random_access({size, 4, split, balanced});
  const std::vector<float> values(access->count(), 123.456F);
  for (const Reduction r : {Reduction::mean, Reduction::min, Reduction::max}) {
    const auto tree = fill_tree(*access, values, r);
    ASSERT_TRUE(tree.ok());
    for (const float v : *tree) ASSERT_EQ(v, 123.456F);
  }
}

// Values as f32 first, then the tree of them.
template <class T>
void expect_the_tree_of_floats(const AprAccess& access, double low, double high) {
  const auto drawn =
      test::random_values(access.count(), 9, static_cast<float>(low), static_cast<float>(high));
  const Field field{"values", std::vector<T>(drawn.begin(), drawn.end())};
  for (const Reduction r : {Reduction::mean, Reduction::min, Reduction::max}) {
    const auto expected = fill_tree(access, field.to_float(), r);
    const auto tree = fill_tree(access, field, r);
    ASSERT_TRUE(expected.ok() && tree.ok());
    EXPECT_EQ(*tree, *expected) << field.dtype();
  }
}

TEST_P(Tree, OfAFieldOfAnyTypeIsThatOfItsFloats) {
  const auto& [size, split, balanced] = GetParam();
  const auto access = test::random_access({size, 6, split, balanced});
  expect_the_tree_of_floats<std::uint8_t>(*access, 0, 255);
  expect_the_tree_of_floats<std::uint16_t>(*access, 0, 65535);
  expect_the_tree_of_floats<std::int32_t>(*access, -2e9, 2e9);
  expect_the_tree_of_floats<std::uint64_t>(*access, 0, 1e19);
  expect_the_tree_of_floats<float>(*access, -1, 1);
  expect_the_tree_of_floats<double>(*access, -1, 1);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, Tree,
    testing::Values(std::tuple{Size3{1, 1, 1}, 0.5, true}, std::tuple{Size3{1, 1, 2}, 0.5, true},
                    std::tuple{Size3{1, 1, 37}, 0.7, true}, std::tuple{Size3{41, 1, 1}, 0.7, true},
                    std::tuple{Size3{1, 21, 34}, 0.7, true},
                    std::tuple{Size3{9, 17, 33}, 0.7, false},
                    std::tuple{Size3{33, 17, 15}, 0.6, true}, std::tuple{Size3{5, 8, 7}, 1.0, true},
                    std::tuple{Size3{8, 8, 8}, 0.0, true}));

TEST(FillTree, SameBytesForAnyThreadCount) {
  const auto access = test::random_access({.size = {65, 40, 70}, .seed = 5, .split = 0.8});
  const auto values = test::random_values(access->count(), 6);
  set_thread_count(1);
  const auto one = fill_tree(*access, values, Reduction::mean);
  set_thread_count(5);
  const auto five = fill_tree(*access, values, Reduction::mean);
  set_thread_count(0);
  ASSERT_TRUE(one.ok() && five.ok());
  EXPECT_EQ(*one, *five);
}

TEST(FillTree, StopsWhenAsked) {
  const auto access = test::random_access({.size = {16, 16, 16}});
  const auto values = test::random_values(access->count(), 6);
  std::stop_source source;
  source.request_stop();
  const auto tree = fill_tree(*access, values, Reduction::mean, JobContext(source.get_token()));
  ASSERT_FALSE(tree.ok());
  EXPECT_TRUE(tree.error().cancelled());
}

TEST(FillTree, UsesMemoryAgain) {
  const auto access = test::random_access({.size = {33, 20, 41}, .seed = 5, .split = 0.8});
  const auto values = test::random_values(access->count(), 6);
  const auto fresh = fill_tree(*access, values, Reduction::max);
  ASSERT_TRUE(fresh.ok());
  std::vector<float> tree(7, -1.0F);
  ASSERT_TRUE(fill_tree(*access, values, Reduction::mean, tree).ok());
  const float* const memory = tree.data();
  ASSERT_TRUE(fill_tree(*access, values, Reduction::max, tree).ok());
  EXPECT_EQ(tree, *fresh);
  EXPECT_EQ(tree.data(), memory);
}

TEST(FillTree, RefusesValuesOfAnotherApr) {
  const auto access = test::random_access({.size = {16, 16, 16}});
  const std::vector<float> values(access->count() + 1);
  EXPECT_FALSE(fill_tree(*access, values, Reduction::mean).ok());
  const Field field{"values", std::vector<std::uint16_t>(access->count() + 1)};
  EXPECT_FALSE(fill_tree(*access, field, Reduction::mean).ok());
}

}  // namespace
}  // namespace aprscope
