#include "core/pipeline/execution.hpp"

#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "tests/core/pipeline/data_builders.hpp"

namespace aprscope {
namespace {

std::shared_ptr<const Dataset> rough_image(std::int64_t n) {
  return Dataset::create(test::image_of({n, n, n}, test::rough));
}

TEST(Execute, RunsTheStepsInOrder) {
  // max then min of a single bright pixel (closing) keeps it, min then max (opening) removes it.
  const auto spike = Dataset::create(test::image_of(
      {9, 9, 9}, [](auto z, auto x, auto y) { return z == 4 && x == 4 && y == 4 ? 10.0 : 0.0; }));
  const auto centre = [&](const std::vector<Operation>& steps) {
    const auto done = execute(steps, spike, *cpu_backend());
    EXPECT_TRUE(done.ok());
    return done->data->volume().value({4, 4, 4});
  };
  EXPECT_EQ(centre({{"max", {}}, {"min", {}}}), 10.0F);
  EXPECT_EQ(centre({{"min", {}}, {"max", {}}}), 0.0F);
  EXPECT_EQ(centre({}), 10.0F);
}

TEST(Execute, FailureNamesTheStep) {
  const auto done = execute({{"max", {}}, {"reconstruct", {}}}, rough_image(4), *cpu_backend());
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().message().find("step 2 (reconstruct)"), std::string::npos);
}

TEST(Execute, ConvertFilterReconstructIsOneRun) {
  const auto image = rough_image(16);
  std::mutex mutex;
  std::vector<double> fractions;
  // Threads of a team may report at once.
  const JobContext context({}, [&](double f, std::string_view) {
    const std::scoped_lock lock(mutex);
    fractions.push_back(f);
  });
  const auto done =
      execute({{"convert", {}}, {"box", {}}, {"reconstruct", {}}}, image, *cpu_backend(), context);
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_EQ(done->data->volume().size(), image->size());
  for (const double f : fractions) EXPECT_TRUE(f >= 0.0 && f <= 1.0) << f;
}

TEST(Execute, TellsWhatEachStepTook) {
  const auto image = rough_image(16);
  const auto done = execute({{"convert", {}}, {"gaussian", {}}}, image, *cpu_backend());
  ASSERT_TRUE(done.ok()) << done.error().message();
  ASSERT_EQ(done->costs.size(), 2U);
  EXPECT_EQ(done->costs[0].operation, "convert");
  EXPECT_EQ(done->costs[1].operation, "gaussian");
  for (const StepCost& cost : done->costs) {
    EXPECT_GT(cost.seconds, 0.0);
    EXPECT_EQ(cost.backend, cpu_backend()->name());
  }
  EXPECT_EQ(done->costs[1].bytes, done->data->apr().bytes());
}

TEST(Execute, RemembersTheImageThatWasConverted) {
  const auto image = rough_image(16);
  const auto smoothed = execute({{"gaussian", {}}, {"convert", {}}}, image, *cpu_backend());
  ASSERT_TRUE(smoothed.ok());
  ASSERT_TRUE(smoothed->converted_from);
  EXPECT_FALSE(smoothed->converted_from->is_apr());
  EXPECT_NE(smoothed->converted_from, image);  // the smoothed one
  const auto plain = execute({{"convert", {}}, {"box", {}}}, image, *cpu_backend());
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(plain->converted_from, image);
  const auto back = execute({{"convert", {}}, {"reconstruct", {}}}, image, *cpu_backend());
  ASSERT_TRUE(back.ok());
  EXPECT_FALSE(back->converted_from);
}

TEST(Execute, RefusesAStepThatTakesMoreThanTheMemory) {
  const auto image = rough_image(16);
  RunContext little;
  little.memory = 1;
  // What a program takes anyway is beside the number.
  EXPECT_TRUE(execute({{"convert", {}}}, image, *cpu_backend(), little).ok());
  Volume volume;
  volume.pixels = Pixels<float>({256, 512, 512});
  const auto large = Dataset::create(std::move(volume));
  const std::vector<Operation> steps{{"crop", {{"region", std::string("0:256,0:512,0:511")}}},
                                     {"crop", {{"region", std::string("0:2,0:2,0:2")}}}};
  RunContext enough;
  enough.memory = std::uint64_t{8} << 30U;
  EXPECT_TRUE(execute(steps, large, *cpu_backend(), enough).ok());
  const auto refused = execute(steps, large, *cpu_backend(), little);
  ASSERT_FALSE(refused.ok());
  const std::string said = refused.error().message();
  EXPECT_NE(said.find("step 1 (crop)"), std::string::npos) << said;
  EXPECT_NE(said.find("1 B are allowed"), std::string::npos) << said;
}

TEST(Execute, LetsGoOfAnInputThatNobodyElseHolds) {
  auto image = rough_image(48);
  const std::weak_ptr<const Dataset> watched = image;
  std::mutex mutex;
  bool later = false;
  bool there = false;
  const JobContext context({}, [&](double f, std::string_view) {
    if (f < 0.7) return;
    const std::scoped_lock lock(mutex);
    later = true;
    there = there || !watched.expired();
  });
  const auto done =
      execute({{"gaussian", {}}, {"median", {}}}, std::move(image), *cpu_backend(), context);
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_TRUE(later);
  EXPECT_FALSE(there) << "the input was kept for the second step";
}

TEST(Execute, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const auto done =
      execute({{"convert", {}}}, rough_image(16), *cpu_backend(), JobContext(stop.get_token()));
  ASSERT_FALSE(done.ok());
  EXPECT_TRUE(done.error().cancelled());
}

TEST(TotalCost, SumsSecondsAndTakesTheHighestPeak) {
  const TotalCost sum = total({{"convert", 1.5, 10, 700, "CPU"}, {"box", 0.5, 20, 300, "CPU"}});
  EXPECT_EQ(sum.seconds, 2.0);
  EXPECT_EQ(sum.peak_bytes, 700U);
  EXPECT_EQ(sum.backend, "CPU");
  const TotalCost mixed = total({{"convert", 1.0, 1, {}, "CPU"}, {"box", 1.0, 1, {}, "cuda:0"}});
  EXPECT_FALSE(mixed.peak_bytes);
  EXPECT_EQ(mixed.backend, "CPU + cuda:0");
}

}  // namespace
}  // namespace aprscope
