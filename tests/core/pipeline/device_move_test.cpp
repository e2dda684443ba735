// Jobs that go to another device than was chosen.
#include <gtest/gtest.h>

#include "core/pipeline/execution.hpp"
#include "tests/core/pipeline/data_builders.hpp"
#include "tests/core/pipeline/refusing_backend.hpp"

namespace aprscope {
namespace {

const Operation kDeconvolve{"deconvolve",
                            {{"iterations", std::int64_t{2}},
                             {"psf_sigma", std::array<double, 3>{1, 1, 1}},
                             {"psf_size", std::array<double, 3>{3, 3, 3}}}};

std::shared_ptr<const Dataset> particles() {
  return Dataset::create(test::two_level_apr(16, test::rough));
}

TEST(DeviceMove, IsToldEachTimeWithBothDevicesAndTheReason) {
  const test::RefusingBackend gpu("deconvolve");
  for (int run = 0; run < 3; ++run) {
    std::vector<DeviceMove> told;
    const auto context =
        JobContext().listening([&](const DeviceMove& move) { told.push_back(move); });
    const auto done = execute({{"box", {}}, kDeconvolve}, particles(), gpu, context);
    ASSERT_TRUE(done.ok()) << done.error().message();
    const DeviceMove wanted{"cuda:9", "cpu", cpu_backend()->name(),
                            "it needs 9 GB, and 2 are free"};
    EXPECT_EQ(told, std::vector<DeviceMove>{wanted});
    ASSERT_EQ(done->costs.size(), 2U);
    EXPECT_FALSE(done->costs[0].moved.has_value());
    EXPECT_EQ(done->costs[0].backend, gpu.name());
    EXPECT_EQ(done->costs[1].moved, wanted);
    EXPECT_EQ(done->costs[1].backend, cpu_backend()->name());
    EXPECT_EQ(move_reasons(done->costs), wanted.reason);
    EXPECT_EQ(total(done->costs).backend, gpu.name() + " + " + cpu_backend()->name());
    // What the result itself says holds no number that another day changes.
    const std::string& line = done->data->apr().history.back();
    EXPECT_TRUE(line.ends_with("[cpu instead of cuda:9]")) << line;
    EXPECT_EQ(line.find("9 GB"), std::string::npos) << line;
  }
  EXPECT_EQ(sentence({"cuda:9", "cpu", "CPU", "it is small"}),
            "computed on cpu instead of cuda:9: it is small.");
  EXPECT_EQ(sentence({"cuda:9", "cpu", "CPU", "It ends."}),
            "computed on cpu instead of cuda:9: It ends.");
}

TEST(DeviceMove, ValuesAreThoseOfTheOtherDevice) {
  const test::RefusingBackend gpu("deconvolve");
  const auto moved = execute({kDeconvolve}, particles(), gpu);
  const auto direct = execute({kDeconvolve}, particles(), *cpu_backend());
  ASSERT_TRUE(moved.ok() && direct.ok());
  EXPECT_EQ(moved->data->values().particles(), direct->data->values().particles());
  EXPECT_FALSE(direct->costs[0].moved.has_value());
  EXPECT_TRUE(direct->data->apr().history.back().ends_with("[cpu]"));
}

TEST(DeviceMove, AStepThatGoesOnAndA3dViewTellToo) {
  const test::RefusingBackend gpu("deconvolve");
  Operation on = kDeconvolve;
  on.parameters["start"] = std::string("previous");
  const auto both = execute({kDeconvolve, on}, particles(), gpu);
  ASSERT_TRUE(both.ok()) << both.error().message();
  EXPECT_TRUE(both->costs[0].moved && both->costs[1].moved);
  // The reason once.
  EXPECT_EQ(move_reasons(both->costs), "it needs 9 GB, and 2 are free");

  const test::RefusingBackend blind("raycaster");
  int told = 0;
  const auto context = JobContext().listening([&](const DeviceMove&) { ++told; });
  ASSERT_TRUE(blind.raycaster(particles(), context.part(0.0, 0.5)).ok());
  ASSERT_TRUE(blind.raycaster(particles(), context).ok());
  EXPECT_EQ(told, 2);
}

TEST(DeviceMove, ListenersAreToldFromTheInside) {
  std::string order;
  const auto outer = JobContext().listening([&](const DeviceMove&) { order += "outer "; });
  const auto inner = outer.part(0.0, 0.5).listening([&](const DeviceMove&) { order += "inner "; });
  inner.moved({});
  EXPECT_EQ(order, "inner outer ");
  JobContext().moved({});  // nobody listens
}

TEST(DeviceMove, FailuresStayFailures) {
  const test::RefusingBackend gpu("deconvolve");
  Operation bad = kDeconvolve;
  bad.parameters["offset"] = 1e6;
  EXPECT_FALSE(execute({bad}, particles(), gpu).ok());
}

}  // namespace
}  // namespace aprscope
