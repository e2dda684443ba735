#include "core/pipeline/file_execution.hpp"

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "core/operations/particles/crop_operation.hpp"
#include "core/operations/particles/overview.hpp"
#include "tests/core/pipeline/data_builders.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

class ExecuteFile : public testing::Test {
 protected:
  SourceInfo write(const Data& data, const std::string& name) {
    const auto path = folder_ / name;
    AprWriteOptions options;
    options.with_tree = true;
    const auto* apr = std::get_if<Apr>(&data);
    const Status done =
        apr != nullptr ? write_apr(*apr, path, options) : write_image(std::get<Volume>(data), path);
    EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().message());
    const auto info = inspect(path.string());
    EXPECT_TRUE(info.ok());
    return info.ok() ? *info : SourceInfo{};
  }

  // The same steps on what load() gives.
  static Execution expected(const std::vector<Operation>& steps, const SourceInfo& info) {
    auto data = load(info);
    EXPECT_TRUE(data.ok());
    auto done = execute(steps, Dataset::create(*std::move(data)), *cpu_backend());
    EXPECT_TRUE(done.ok()) << done.error().message();
    return *std::move(done);
  }

  static void expect_same(const Execution& a, const Execution& b) {
    ASSERT_EQ(a.data->is_apr(), b.data->is_apr());
    EXPECT_EQ(a.data->size(), b.data->size());
    EXPECT_EQ(a.data->voxel(), b.data->voxel());
    EXPECT_EQ(a.data->name(), b.data->name());
    EXPECT_EQ(a.steps, b.steps);
    ASSERT_EQ(a.costs.size(), b.costs.size());
    for (std::size_t i = 0; i < a.costs.size(); ++i) {
      EXPECT_EQ(a.costs[i].operation, b.costs[i].operation);
      EXPECT_EQ(a.costs[i].bytes, b.costs[i].bytes);
      EXPECT_EQ(a.costs[i].backend, b.costs[i].backend);
    }
    if (a.data->is_apr()) {
      EXPECT_EQ(a.data->apr().access->particles(), b.data->apr().access->particles());
      EXPECT_EQ(a.data->apr().main_field()->values, b.data->apr().main_field()->values);
      EXPECT_EQ(a.data->apr().history, b.data->apr().history);
    } else {
      EXPECT_STREQ(a.data->volume().dtype(), b.data->volume().dtype());
      EXPECT_EQ(a.data->volume().to_float().values, b.data->volume().to_float().values);
      EXPECT_EQ(a.data->volume().channel, b.data->volume().channel);
      EXPECT_EQ(a.data->volume().origin, b.data->volume().origin);
    }
  }

  test::TemporaryFolder folder_;
};

TEST_F(ExecuteFile, GivesWhatStepsOnTheWholeGive) {
  Apr apr = test::random_apr({.size = {20, 40, 33}, .seed = 9});
  apr.voxel = {2.0, 0.5, 0.5, "µm"};
  const SourceInfo info = write(apr, "a.apr");
  const int finest = apr.access->level_max();
  const Operation cut = crop_step({{4, 8, 8}, {20, 31, 33}});
  const std::vector<std::vector<Operation>> all{
      {},
      {cut},
      {cut, {"gaussian", {}}},
      {cut, {"statistics", {}}, {"reconstruct", {}}},
      {level_step(finest - 2)},
      {level_step(finest - 1), {"median", {}}},
      {level_step(finest)},
      {{"reconstruct", {{"mode", std::string("smooth")}}}},
      {{"box", {}}, cut}};
  for (const auto& steps : all) {
    SCOPED_TRACE(steps.empty() ? "none" : describe(steps.front()));
    const auto done = execute_file(steps, info, {}, *cpu_backend());
    ASSERT_TRUE(done.ok()) << done.error().message();
    const Execution whole = expected(steps, info);
    expect_same(*done, whole);
    ASSERT_EQ(done->measured.size(), whole.measured.size());
    for (std::size_t i = 0; i < whole.measured.size(); ++i) {
      EXPECT_EQ(done->measured[i].step, whole.measured[i].step);
    }
  }
}

TEST_F(ExecuteFile, OfPixelsReadsTheWhole) {
  const SourceInfo info = write(test::image_of({6, 8, 10}, test::rough), "a.tif");
  const std::vector<Operation> steps{crop_step({{1, 2, 3}, {6, 7, 8}})};
  const auto done = execute_file(steps, info, {}, *cpu_backend());
  ASSERT_TRUE(done.ok()) << done.error().message();
  expect_same(*done, expected(steps, info));
}

TEST_F(ExecuteFile, TakesTheVoxelSizeThatIsTyped) {
  const SourceInfo info = write(test::random_apr({.size = {16, 16, 16}}), "a.apr");
  const VoxelSize voxel{3.0, 1.0, 1.0, "µm"};
  const auto done =
      execute_file({level_step(3)}, info, {}, *cpu_backend(), {}, std::optional(voxel));
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_EQ(done->data->voxel(), (VoxelSize{6.0, 2.0, 2.0, "µm"}));
}

TEST_F(ExecuteFile, ReadsOnlyWhatTheFirstStepNeeds) {
  // Tree and coarser levels are sound; what is behind them is not looked at.
  EXPECT_TRUE(may_take_part({level_step(3), {"median", {}}}));
  EXPECT_TRUE(may_take_part({crop_step({{0, 0, 0}, {1, 1, 1}})}));
  EXPECT_FALSE(may_take_part({{"median", {}}, level_step(3)}));
  EXPECT_FALSE(may_take_part({}));
}

TEST_F(ExecuteFile, SaysWhatIsWrong) {
  const SourceInfo info = write(test::random_apr({.size = {16, 16, 16}}), "a.apr");
  const auto outside = execute_file({crop_step({{0, 0, 0}, {17, 1, 1}})}, info, {}, *cpu_backend());
  ASSERT_FALSE(outside.ok());
  EXPECT_NE(outside.error().message().find("16 × 16 × 16"), std::string::npos);
  const auto text =
      execute_file({{"crop", {{"region", std::string("7")}}}}, info, {}, *cpu_backend());
  ASSERT_FALSE(text.ok());
  EXPECT_NE(text.error().message().find("Z0:Z1"), std::string::npos);
  EXPECT_FALSE(execute_file({}, info, {3, 0}, *cpu_backend()).ok());
}

}  // namespace
}  // namespace aprscope
