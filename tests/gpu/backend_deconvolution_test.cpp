#include <algorithm>

#include <gtest/gtest.h>

#include "core/pipeline/deconvolution_operation.hpp"
#include "gpu/devices.hpp"
#include "tests/core/filter/naive.hpp"

// One body for every back end: "deconvolve" on particles follows the CPU's iterations.
namespace aprscope {
namespace {

class BackendDeconvolution : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const auto found = select_backend(GetParam());
    if (!found) GTEST_SKIP() << found.error().message();
    backend_ = *found;
  }
  static std::shared_ptr<const Dataset> dataset(const std::shared_ptr<const AprAccess>& access,
                                                std::uint64_t seed) {
    Apr apr;
    apr.access = access;
    apr.fields = {std::make_shared<const Field>(
        Field{"particles", test::random_values(access->count(), seed, 1.0F, 50.0F)})};
    return Dataset::create(std::move(apr));
  }
  std::shared_ptr<const Backend> backend_;
};

TEST_P(BackendDeconvolution, IteratesFollowThoseOfTheCpu) {
  const auto access = test::random_access({{30, 41, 26}, 47, 0.6, true});
  const auto data = dataset(access, 48);
  const auto given = dataset(access, 49);
  for (const char* regularisation : {"none", "total_variation", "tikhonov_miller"}) {
    for (const char* boundary : {"reflect", "zero"}) {
      for (const bool starts : {false, true}) {
        SCOPED_TRACE(std::string(regularisation) + " " + boundary);
        const Operation operation{"deconvolve",
                                  {{"iterations", std::int64_t{4}},
                                   {"regularisation", std::string(regularisation)},
                                   {"boundary", std::string(boundary)}}};
        IterationHooks hooks;
        if (starts) hooks.start = given;
        int seen = 0;
        hooks.observer = [&](const IterationReport& report, std::span<const float> iterate) {
          EXPECT_EQ(report.iteration, ++seen);
          EXPECT_EQ(iterate.size(), access->count());
        };
        const auto result = backend_->iterate(operation, *data, hooks, {});
        ASSERT_TRUE(result.ok()) << result.error().message();
        EXPECT_EQ(seen, 4);
        const auto& apr = std::get<Apr>(*result);
        EXPECT_NE(apr.history.back().find("[" + std::string(GetParam()) + "]"), std::string::npos);
        EXPECT_NE(apr.history.back().find("4 iterations"), std::string::npos);

        const auto complete_operation = complete(operation);
        ASSERT_TRUE(complete_operation.ok());
        const auto plan = plan_deconvolution(*complete_operation, data->voxel(), data->size());
        ASSERT_TRUE(plan.ok()) << plan.error().message();
        IterationHooks silent;
        silent.start = hooks.start;
        const auto expected = deconvolve(*plan, *data, silent, {});
        ASSERT_TRUE(expected.ok());
        const auto& values = std::get<std::vector<float>>(apr.main_field()->values);
        const auto& wanted = expected->result.values;
        const float largest = *std::max_element(wanted.begin(), wanted.end());
        for (std::size_t i = 0; i < values.size(); ++i) {
          ASSERT_NEAR(values[i], wanted[i], 1e-4F * (wanted[i] + 0.01F * largest)) << i;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, BackendDeconvolution, testing::Values("cpu", "cuda:0"),
                         [](const auto& each) {
                           return std::string(each.param) == "cpu" ? "Cpu" : "Cuda";
                         });

}  // namespace
}  // namespace aprscope
