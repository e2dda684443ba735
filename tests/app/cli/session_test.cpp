// What a run reports about where it was computed.
#include "app/cli/shared/session.hpp"

#include <gtest/gtest.h>

#include "tests/app/cli/chain_fixture.hpp"
#include "tests/core/pipeline/data_builders.hpp"
#include "tests/core/pipeline/refusing_backend.hpp"

namespace aprscope::cli {
namespace {

// What a session prints about some work.
struct Printed {
  std::string out;
  std::string err;
  [[nodiscard]] Json json() const { return Json::parse(out, nullptr, false); }
};

template <class Work>
Printed printed(const GlobalOptions& options, const std::shared_ptr<const Backend>& backend,
                const Work& work) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  {
    Session session(options, backend, {});
    work(session);
    EXPECT_TRUE(session.finish());
  }
  return {testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

GlobalOptions asked_for(const std::string& device, bool json = true) {
  GlobalOptions options;
  options.json = json;
  options.device = device;
  options.has_gpu = true;
  return options;
}

const auto kNothing = [](Session&) {};

// One box filter.
const auto kFilter = [](Session& session) {
  const auto data = Dataset::create(test::two_level_apr(16, test::rough));
  EXPECT_TRUE(session.backend().run({"box", {}}, *data, session.context()).ok());
};

TEST(SessionDevice, AJobThatMovedSaysSoEachTimeOnBothStreams) {
  const auto gpu = std::make_shared<const test::RefusingBackend>("box");
  for (int run = 0; run < 2; ++run) {
    const Printed done = printed(asked_for("cuda:9"), gpu, kFilter);
    EXPECT_EQ(done.json()["device"], "cpu");
    EXPECT_EQ(done.json()["device_chosen"], "cuda:9");
    EXPECT_EQ(done.json()["device_reason"], "it needs 9 GB, and 2 are free");
    EXPECT_EQ(done.err,
              "aprscope-cli: computed on cpu instead of cuda:9: it needs 9 GB, and 2 are free.\n");
  }
  GlobalOptions quiet = asked_for("auto");
  quiet.quiet = true;
  const Printed done = printed(quiet, gpu, kFilter);
  EXPECT_EQ(done.json()["device_chosen"], "auto");
  EXPECT_EQ(done.json()["device_reason"], "it needs 9 GB, and 2 are free");
  EXPECT_EQ(done.err, "");
  const Printed text = printed(asked_for("cuda:9", false), gpu, kFilter);
  EXPECT_NE(text.out.find("it needs 9 GB"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("cuda:9"), std::string::npos) << text.out;
}

TEST(SessionDevice, AJobThatStayedHasNoReason) {
  const auto gpu = std::make_shared<const test::RefusingBackend>("median");
  const Printed done = printed(asked_for("cuda:9"), gpu, kFilter);
  EXPECT_EQ(done.json()["device"], "cuda:9");
  EXPECT_TRUE(done.json()["device_reason"].is_null());
  EXPECT_EQ(done.err, "");
  const Printed text = printed(asked_for("cuda:9", false), gpu, kFilter);
  EXPECT_EQ(text.out.find("reason"), std::string::npos) << text.out;
}

// Commands that look at files, or work on streams, never ask for the device.
TEST(SessionDevice, WhatTheDeviceNeverSawWasComputedOnTheCpu) {
  const auto gpu = std::make_shared<const test::RefusingBackend>("box");
  const Printed done = printed(asked_for("cuda:9"), gpu, kNothing);
  EXPECT_EQ(done.json()["device"], "cpu");
  EXPECT_EQ(done.json()["device_chosen"], "cuda:9");
  EXPECT_FALSE(done.json()["device_reason"].is_null());
}

TEST(SessionDevice, AutoSaysWhyItIsTheCpu) {
  GlobalOptions options = asked_for("auto");
  options.device_reason = "the GPU does not answer";
  const Printed done = printed(options, cpu_backend(), kFilter);
  EXPECT_EQ(done.json()["device"], "cpu");
  EXPECT_EQ(done.json()["device_chosen"], "auto");
  EXPECT_EQ(done.json()["device_reason"], "the GPU does not answer");
}

TEST(SessionDevice, SeveralStepsSayWhereEachRan) {
  const auto gpu = std::make_shared<const test::RefusingBackend>("median");
  const Printed done = printed(asked_for("cuda:9"), gpu, [](Session& session) {
    const auto run = execute({{"box", {}}, {"median", {}}},
                             Dataset::create(test::two_level_apr(16, test::rough)),
                             session.backend(), session.context());
    ASSERT_TRUE(run.ok());
    session.describe_devices(run->costs, session.report());
  });
  EXPECT_EQ(done.json()["device"], "cuda:9 + cpu");
  EXPECT_EQ(done.json()["device_reason"], "it needs 9 GB, and 2 are free");
}

class DeviceReport : public aprscope::test::Chain {};

// The program itself, whatever this machine has.
TEST_F(DeviceReport, EveryResultSaysWhatWasChosenAndWhatItBecame) {
  synthesize("a.tif");
  const auto cpu = run({"convert", path("a.tif"), "-o", path("a.apr"), "--device", "cpu"});
  EXPECT_EQ(cpu["device"], "cpu");
  EXPECT_EQ(cpu["device_chosen"], "cpu");
  EXPECT_TRUE(cpu["device_reason"].is_null());
  const auto any = run({"filter", path("a.apr"), "-o", path("b.apr"), "--stencil", "box:size=3"});
  EXPECT_EQ(any["device_chosen"], "auto");
  EXPECT_EQ(any["device_reason"].is_null(), any["device"] != "cpu");
  const auto replayed = [&] {
    run({"filter", path("a.apr"), "-o", path("r.json"), "--stencil", "box:size=3"});
    return run({"run", path("r.json"), path("a.apr"), "-o", path("c.apr")});
  }();
  EXPECT_EQ(replayed["device"], any["device"]);
  EXPECT_EQ(replayed["device_chosen"], "auto");
}

}  // namespace
}  // namespace aprscope::cli
