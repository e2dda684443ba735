#include "core/pipeline/file_execution.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "core/io/write.hpp"
#include "core/operations/particles/overview.hpp"
#include "core/operations/schema/region_text.hpp"
#include "tests/core/pipeline/data_builders.hpp"
#include "tests/core/pipeline/refusing_backend.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

Operation crop_step(const Region& box) { return {"crop", {{"region", region_text(box)}}}; }

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
  for (const auto& [step, side] :
       {std::pair(level_step(3), 2.0), std::pair(crop_step({{0, 0, 0}, {8, 9, 10}}), 1.0)}) {
    const auto done = execute_file({step}, info, {}, *cpu_backend(), {}, std::optional(voxel));
    ASSERT_TRUE(done.ok()) << done.error().message();
    EXPECT_EQ(done->data->voxel(), (VoxelSize{3.0 * side, side, side, "µm"}));
  }
}

TEST_F(ExecuteFile, ReadsOnlyWhatACropNeeds) {
  // Every pixel a particle, so many that the values are in chunks of which a box at the beginning
  // needs the first alone.
  const Size3 size{40, 100, 100};
  Apr apr;
  apr.access = test::full_access(size);
  apr.fields = {std::make_shared<const Field>(Field{
      "particle_intensities", test::random_values(apr.access->count(), 3, 0.0F, 1000.0F, true)})};
  const SourceInfo info = write(apr, "a.apr");
  const Region box{{0, 0, 0}, {8, 16, 16}};
  const auto sound = execute_file({crop_step(box)}, info, {}, *cpu_backend());
  ASSERT_TRUE(sound.ok()) << sound.error().message();
  // The end of the file holds the last chunks and what libhdf5 says of them; zeros in the middle
  // damage chunks that are not needed.
  std::fstream file(folder_ / "a.apr", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(info.file_bytes * 6 / 10));
  file << std::string(info.file_bytes / 20, '\0');
  file.close();
  EXPECT_FALSE(execute_file({}, info, {}, *cpu_backend()).ok());
  const auto part = execute_file({crop_step(box)}, info, {}, *cpu_backend());
  ASSERT_TRUE(part.ok()) << part.error().message();
  EXPECT_EQ(part->data->apr().main_field()->values, sound->data->apr().main_field()->values);
}

TEST_F(ExecuteFile, KnowsWhichStepsMayTakeAPart) {
  EXPECT_TRUE(may_take_part({level_step(3), {"median", {}}}));
  EXPECT_TRUE(may_take_part({crop_step({{0, 0, 0}, {1, 1, 1}})}));
  EXPECT_FALSE(may_take_part({{"median", {}}, level_step(3)}));
  EXPECT_FALSE(may_take_part({}));
}

TEST_F(ExecuteFile, CountsTheStepsOfErrors) {
  const SourceInfo info = write(test::random_apr({.size = {16, 16, 16}}), "a.apr");
  const Operation cut = crop_step({{0, 0, 0}, {8, 8, 8}});
  const auto second = execute_file({cut, {"convert", {}}}, info, {}, *cpu_backend());
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().message().find("step 2 (convert)"), std::string::npos)
      << second.error().message();
  const auto first =
      execute_file({crop_step({{0, 0, 0}, {17, 1, 1}}), {"median", {}}}, info, {}, *cpu_backend());
  ASSERT_FALSE(first.ok());
  EXPECT_NE(first.error().message().find("step 1 (crop)"), std::string::npos)
      << first.error().message();
}

TEST_F(ExecuteFile, SaysThatTheCpuReadsWhereAnotherDeviceWasAsked) {
  const SourceInfo info = write(test::random_apr({.size = {16, 16, 16}}), "a.apr");
  const test::RefusingBackend gpu("crop");
  std::optional<DeviceMove> heard;
  const JobContext context = JobContext().listening([&](const DeviceMove& move) { heard = move; });
  const auto done =
      execute_file({crop_step({{0, 0, 0}, {8, 8, 8}})}, info, {}, gpu, RunContext(context));
  ASSERT_TRUE(done.ok()) << done.error().message();
  ASSERT_TRUE(done->costs.front().moved);
  EXPECT_EQ(done->costs.front().moved->device, "cpu");
  EXPECT_TRUE(done->data->apr().history.back().ends_with("[cpu instead of " + gpu.id() + "]"))
      << done->data->apr().history.back();
}

TEST_F(ExecuteFile, OpensALevelOfWhatDoesNotFit) {
  const Apr apr = test::random_apr({.size = {64, 64, 64}, .seed = 2});
  const SourceInfo info = write(apr, "a.apr");
  const auto whole = open_file(info, {}, std::uint64_t{1} << 30U, *cpu_backend());
  ASSERT_TRUE(whole.ok());
  EXPECT_TRUE(whole->data->is_apr() && whole->steps.empty());
  const auto level = open_file(info, {}, 70'000, *cpu_backend());
  ASSERT_TRUE(level.ok()) << level.error().message();
  EXPECT_EQ(shown_level(level->steps), 4);  // 16³ in f32 twice, and once more in 3-D
  EXPECT_EQ(level->data->volume().to_float().values,
            expected(level->steps, info).data->volume().to_float().values);
  // Without a tree there is nothing in between.
  ASSERT_TRUE(write_apr(apr, folder_ / "b.apr").ok());
  const auto bare = inspect((folder_ / "b.apr").string());
  ASSERT_TRUE(bare.ok());
  const auto all = open_file(*bare, {}, 70'000, *cpu_backend());
  ASSERT_TRUE(all.ok()) << all.error().message();
  EXPECT_TRUE(all->data->is_apr());
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
