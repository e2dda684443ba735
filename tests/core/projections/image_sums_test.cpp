// What images add up to, and what is found on the way.
#include "core/projections/image_sums.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/projections/plan_reconstruction.hpp"
#include "tests/core/projections/batched_inserter.hpp"
#include "tests/core/projections/closed_form.hpp"
#include "tests/core/projections/cryo_data.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kSetSide = 12;
constexpr std::int64_t kSetImages = 20;

Result<ImageSums> image_sums_of(const Projections& set, const BackprojectSettings& settings,
                                const BackprojectHooks& hooks = {},
                                const InserterFactory& factory = {}) {
  const auto plan = plan_reconstruction(set.table, settings);
  if (!plan) return plan.error();
  return sum_images(set, settings, hooks, nullptr, *plan, factory, {});
}

std::vector<float> held_values(ImageSums& sums, std::size_t half) {
  auto values = sums.solver->let_go(std::move(sums.halves[half]));
  EXPECT_TRUE(values.ok());
  return values ? *std::move(values) : std::vector<float>();
}

TEST(ImageSums, LeaveUnsoundImagesOutAndTellThem) {
  const Projections whole = test::closed_form(kSetSide, kSetImages, false);
  Projections without = whole;
  without.table.rows[7].enabled = false;
  std::vector<float> pixels(kSetSide * kSetSide * kSetImages);
  ASSERT_TRUE(whole.images->read(whole.table.rows, pixels, {}).ok());
  pixels[7 * kSetSide * kSetSide + 5] = std::numeric_limits<float>::quiet_NaN();
  const Projections set{whole.table,
                        std::make_shared<test::MemoryImages>(kSetSide, std::move(pixels))};
  BackprojectSettings settings;
  settings.halves = Halves::none;
  EXPECT_FALSE(image_sums_of(set, settings).ok());
  settings.skip_unsound = true;
  auto sums = image_sums_of(set, settings);
  auto expected = image_sums_of(without, settings);
  ASSERT_TRUE(sums.ok() && expected.ok());
  EXPECT_EQ(sums->images, kSetImages);
  EXPECT_EQ(expected->images, kSetImages - 1);
  EXPECT_EQ(sums->directions.counts, expected->directions.counts);
  std::vector<bool> unsound(kSetImages, false);
  EXPECT_EQ(expected->unsound, unsound);
  unsound[7] = true;
  EXPECT_EQ(sums->unsound, unsound);
  EXPECT_TRUE(sums->notes.empty());
  ASSERT_EQ(sums->halves.size(), 1U);
  const auto values = held_values(*sums, 0);
  const auto wanted = held_values(*expected, 0);
  ASSERT_EQ(values.size(), wanted.size());
  // Sums are of the same images in batches of other sizes.
  const float largest = *std::max_element(wanted.begin(), wanted.end());
  EXPECT_LT(test::worst_difference(values, wanted), 1e-6 * static_cast<double>(largest));
}

TEST(ImageSums, AreTheSameInTemporaryFiles) {
  const Projections set = test::closed_form(kSetSide, kSetImages, true);
  auto in_memory = image_sums_of(set, {});
  BackprojectHooks hooks;
  hooks.memory = 1;
  auto in_files = image_sums_of(set, {}, hooks);
  ASSERT_TRUE(in_memory.ok() && in_files.ok());
  EXPECT_TRUE(in_memory->notes.empty());
  ASSERT_EQ(in_files->notes.size(), 1U);
  EXPECT_NE(in_files->notes[0].find("temporary files"), std::string::npos);
  EXPECT_EQ(in_files->directions.counts, in_memory->directions.counts);
  ASSERT_EQ(in_memory->halves.size(), 2U);
  ASSERT_EQ(in_files->halves.size(), 2U);
  for (const std::size_t half : {0U, 1U}) {
    EXPECT_EQ(held_values(*in_files, half), held_values(*in_memory, half));
  }
}

TEST(ImageSums, EndAfterABatchWhenAsked) {
  const Projections set = test::closed_form(kSetSide, kSetImages, false);
  std::stop_source source;
  source.request_stop();
  BackprojectHooks hooks;
  hooks.keep = source.get_token();
  const auto by_fives = [](const InsertionPlan& plan, const JobContext& context) {
    return make_batched<BatchedInserter>(plan, context, std::int64_t{5});
  };
  const auto sums = image_sums_of(set, {}, hooks, by_fives);
  ASSERT_TRUE(sums.ok());
  EXPECT_EQ(sums->images, 5);
  EXPECT_EQ(sums->halves.size(), 2U);
}

}  // namespace
}  // namespace aprscope
