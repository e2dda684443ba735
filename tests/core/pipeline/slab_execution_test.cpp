// Steps from file to file against the same steps in memory.
#include "core/pipeline/slab_execution.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "core/pipeline/execution.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"
#include "tests/support/sanitized.hpp"

namespace aprscope::test {
namespace {

constexpr std::uint64_t kLittle = std::uint64_t{kSanitized ? 16 : 22} << 20U;

const Operation kSmooth{"gaussian", {{"sigma", std::array<double, 3>{1.0, 1.0, 1.0}}}};
const Operation kMedian{"median", {}};
const Operation kSharpen{"deconvolve",
                         {{"psf_sigma", std::array<double, 3>{1.0, 1.0, 1.0}},
                          {"psf_size", std::array<double, 3>{5.0, 5.0, 5.0}},
                          {"iterations", std::int64_t{2}},
                          {"offset_auto", true}}};

class SlabExecutionTest : public testing::Test {
 protected:
  void SetUp() override {
    Apr apr = random_apr({kSanitized ? Size3{300, 90, 90} : Size3{300, 150, 140}, 3, 0.8, true});
    apr.voxel = {2.0, 0.5, 0.5, "µm"};
    ASSERT_TRUE(write_apr(apr, source_).ok());
  }
  Result<std::optional<SlabExecution>> run(const std::vector<Operation>& steps, const SlabRun& with,
                                           const JobContext& context = {}) {
    const auto info = inspect(source_.string());
    EXPECT_TRUE(info.ok());
    return execute_in_slabs(steps, *info, {}, with, result_, context);
  }
  static Apr read(const std::filesystem::path& path) {
    auto data = load_file(path.string());
    EXPECT_TRUE(data.ok()) << data.error().message();
    return data ? std::get<Apr>(*std::move(data)) : Apr{};
  }
  // Files in the folder, hidden ones included.
  std::ptrdiff_t files() {
    return std::distance(std::filesystem::directory_iterator(folder_.path()),
                         std::filesystem::directory_iterator());
  }

  TemporaryFolder folder_;
  std::filesystem::path source_ = folder_ / "source.apr";
  std::filesystem::path result_ = folder_ / "result.apr";
};

TEST_F(SlabExecutionTest, StepsGiveWhatTheyGiveInMemory) {
  const std::vector<Operation> steps{kSmooth, kSharpen, kMedian};
  EXPECT_TRUE(can_run_in_slabs(steps));
  VoxelSize voxel{1.0, 0.25, 0.25, "µm"};
  // Threads report what they have done, which may come a little late.
  std::mutex mutex;
  double most = 0.0;
  double behind = 0.0;
  const JobContext context({}, [&](double done, std::string_view) {
    const std::lock_guard lock(mutex);
    most = std::max(most, done);
    behind = std::max(behind, most - done);
  });
  const auto done = run(steps, {kLittle, {}, [&](const VoxelSize&) { return voxel; }}, context);
  ASSERT_TRUE(done.ok()) << done.error().message();
  ASSERT_TRUE(*done);
  const Apr source = read(source_);
  ASSERT_EQ((*done)->steps.size(), 3U);
  EXPECT_GE((*done)->steps.front().slabs, 2);
  EXPECT_EQ((*done)->seconds.size(), 3U);
  EXPECT_EQ((*done)->particles, source.access->count());
  EXPECT_EQ((*done)->voxel, voxel);
  Apr with_voxel = source;
  with_voxel.voxel = voxel;
  const auto whole = execute(steps, Dataset::create(Data(with_voxel)), *cpu_backend());
  ASSERT_TRUE(whole.ok()) << whole.error().message();
  const Apr got = read(result_);
  EXPECT_EQ(got.main_field()->values, whole->data->apr().main_field()->values);
  EXPECT_EQ(got.history, whole->data->apr().history);
  EXPECT_EQ(got.voxel, voxel);
  EXPECT_EQ(got.name, whole->data->apr().name);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(describe((*done)->steps[i].operation), describe(whole->steps[i]));
  }
  EXPECT_EQ(files(), 2);
  EXPECT_LE(behind, 0.02);
  EXPECT_LE(most, 1.0);
}

TEST_F(SlabExecutionTest, WhatFitsOrCannotIsLeftToMemory) {
  EXPECT_FALSE(can_run_in_slabs({}));
  EXPECT_FALSE(can_run_in_slabs({kSmooth, {"cells", {}}}));
  const auto fits = run({kSmooth}, {std::uint64_t{8} << 30U});
  ASSERT_TRUE(fits.ok());
  EXPECT_FALSE(*fits);
  const auto other = run({kSmooth, {"threshold", {}}}, {kLittle});
  ASSERT_TRUE(other.ok());
  EXPECT_FALSE(*other);
  EXPECT_FALSE(std::filesystem::exists(result_));
}

TEST_F(SlabExecutionTest, AppliesToAFileThatFitsToo) {
  const auto info = inspect(source_.string());
  ASSERT_TRUE(info.ok());
  std::string files[2];
  const std::uint64_t memory[2] = {kLittle, std::uint64_t{8} << 30U};
  for (int i = 0; i < 2; ++i) {
    const auto particles =
        apply_to_file({kSmooth, kMedian}, *info, {}, {memory[i]}, *cpu_backend(), result_);
    ASSERT_TRUE(particles.ok()) << particles.error().message();
    EXPECT_EQ(*particles, read(source_).access->count());
    std::ifstream file(result_, std::ios::binary);
    files[i] = {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  EXPECT_TRUE(files[0] == files[1]);
  const auto itself = apply_to_file({kSmooth}, *info, {}, {}, *cpu_backend(), source_);
  ASSERT_FALSE(itself.ok());
  EXPECT_NE(itself.error().message().find("is the source itself"), std::string::npos);
}

TEST_F(SlabExecutionTest, ErrorsNameTheStepAndLeaveNothing) {
  Operation wide = kSharpen;
  wide.parameters["psf_sigma"] = std::array<double, 3>{1.0, 1.0, 1.0};
  wide.parameters["back_projector"] = std::string("wiener_butterworth");
  SlabRun refused{kLittle};
  bool began = false;
  refused.begins = [&] { began = true; };
  const auto second = run({kSmooth, wide}, refused);
  EXPECT_FALSE(began) << "the first step takes time";
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().message().find("step 2 (deconvolve)"), std::string::npos)
      << second.error().message();
  const auto no_tree = run({kSmooth}, {kLittle, {.with_tree = true}});
  ASSERT_FALSE(no_tree.ok());
  EXPECT_NE(no_tree.error().message().find("has no tree"), std::string::npos);
  std::stop_source stop;
  const JobContext context(stop.get_token(), [&](double done, std::string_view) {
    if (done > 0.6) stop.request_stop();
  });
  const auto cancelled = run({kSmooth, kMedian}, {kLittle}, context);
  ASSERT_FALSE(cancelled.ok());
  EXPECT_TRUE(cancelled.error().cancelled());
  EXPECT_EQ(files(), 1);
}

}  // namespace
}  // namespace aprscope::test
