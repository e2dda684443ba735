#include "gpu/projection_solver.hpp"

#include <cmath>
#include <cstring>
#include <random>

#include "core/projections/inserter.hpp"
#include "core/projections/tile_sums.hpp"
#include "tests/gpu/cuda_fixture.hpp"

namespace aprscope {
namespace {

struct Case {
  const char* name = "";
  std::int64_t side = 24;
  std::int64_t padded = 48;
  std::int64_t reach = 24;
  std::int64_t tile = 8;
};

const std::vector<Case> kCases = {
    {.name = "up to Nyquist"},
    {.name = "odd side", .side = 25, .padded = 50, .reach = 25},
    {.name = "some frequencies, tiles of 16", .side = 40, .padded = 80, .reach = 17, .tile = 16},
    {.name = "no padding", .side = 32, .padded = 32, .reach = 16},
    {.name = "half a box more", .side = 20, .padded = 30, .reach = 15},
    {.name = "more than one batch of rows", .side = 300, .padded = 600, .reach = 280, .tile = 16},
};

InsertionPlan plan_of(const Case& c) {
  InsertionPlan plan;
  plan.side = c.side;
  plan.padded = c.padded;
  plan.tiles = FrequencyTiles(c.reach, c.tile);
  plan.slab = slab_kernel(plan.blob);
  plan.image_reach = c.reach;
  return plan;
}

// Weights that fall with frequency and are nowhere near 0, and values like those of a small object.
std::vector<float> sums_of(const InsertionPlan& plan) {
  std::vector<float> sums(static_cast<std::size_t>(plan.tiles.floats()));
  std::mt19937 random(3);
  std::uniform_real_distribution<float> even(-1.0F, 1.0F);
  const std::int64_t n = plan.tiles.voxels();
  for (std::int64_t tile = 0; tile < plan.tiles.count(); ++tile) {
    each_voxel(plan.tiles, tile,
               [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t at) {
                 const auto r = std::sqrt(static_cast<float>(x * x + y * y + z * z));
                 float* const voxel = sums.data() + at;
                 const float weight = (2.0F + even(random)) / (1.0F + r);
                 voxel[0] = weight * even(random) + 10.0F / (1.0F + r);
                 voxel[n] = weight * even(random);
                 voxel[2 * n] = weight;
               });
  }
  average_pairs(plan.tiles, sums);
  return sums;
}

double difference(const std::vector<float>& a, const std::vector<float>& b) {
  double error = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double d = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    error += d * d;
    size += static_cast<double>(b[i]) * static_cast<double>(b[i]);
  }
  return std::sqrt(error / size);
}

class ProjectionSolverTest : public test::CudaTest {
 protected:
  void TearDown() override { gpu::limit_device_memory(0); }
};

std::vector<double> tau_of(const std::vector<double>& means) {
  std::vector<double> tau(means);
  for (std::size_t i = 0; i < tau.size(); ++i) tau[i] *= 0.01 * static_cast<double>(i % 7);
  return tau;
}

TEST_F(ProjectionSolverTest, ADividedMapIsThatOfTheProcessor) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const InsertionPlan plan = plan_of(c);
    const auto sums = sums_of(plan);
    const auto tau = tau_of(shell_weights(plan.tiles, sums));
    const auto wanted = make_cpu_solver()->divided(plan, sums, tau, {});
    const auto solver = gpu::make_cuda_solver(device_);
    ASSERT_TRUE(solver->fits(plan, Solve::division));
    const auto got = solver->divided(plan, sums, tau, {});
    ASSERT_TRUE(got && wanted);
    ASSERT_EQ(got->size(), wanted->size());
    EXPECT_LE(difference(*got, *wanted), 2e-6);
    const auto again = solver->divided(plan, sums, tau, {});
    ASSERT_TRUE(again);
    EXPECT_EQ(std::memcmp(again->data(), got->data(), got->size() * sizeof(float)), 0);
  }
}

TEST_F(ProjectionSolverTest, LeastSquaresAreThoseOfTheProcessor) {
  for (const Case& c : kCases) {
    if (c.padded < 2 * c.side || c.side > 100) continue;
    SCOPED_TRACE(c.name);
    const InsertionPlan plan = plan_of(c);
    const auto sums = sums_of(plan);
    const auto means = shell_weights(plan.tiles, sums);
    for (const bool with_tau : {false, true}) {
      SCOPED_TRACE(with_tau);
      const auto tau = with_tau ? tau_of(means) : std::vector<double>(means.size(), 0.0);
      const auto wanted = make_cpu_solver()->least_squares(plan, sums, means, tau, 5, {});
      const auto solver = gpu::make_cuda_solver(device_);
      ASSERT_TRUE(solver->fits(plan, Solve::least_squares));
      const auto got = solver->least_squares(plan, sums, means, tau, 5, {});
      ASSERT_TRUE(got && wanted);
      // Conjugate gradients pass rounding on from step to step.
      EXPECT_LE(difference(*got, *wanted), 1e-4);
      const auto again = solver->least_squares(plan, sums, means, tau, 5, {});
      ASSERT_TRUE(again);
      EXPECT_EQ(std::memcmp(again->data(), got->data(), got->size() * sizeof(float)), 0);
    }
  }
}

TEST_F(ProjectionSolverTest, ItCanBeStopped) {
  std::stop_source stop;
  stop.request_stop();
  const InsertionPlan plan = plan_of(kCases[0]);
  const auto sums = sums_of(plan);
  const auto means = shell_weights(plan.tiles, sums);
  const auto solver = gpu::make_cuda_solver(device_);
  const JobContext context(stop.get_token());
  const auto divided = solver->divided(plan, sums, means, context);
  ASSERT_FALSE(divided);
  EXPECT_TRUE(divided.error().cancelled());
  const auto solved = solver->least_squares(plan, sums, means, means, 5, context);
  ASSERT_FALSE(solved);
  EXPECT_TRUE(solved.error().cancelled());
}

TEST_F(ProjectionSolverTest, TooLittleMemoryIsSaidBeforeItStarts) {
  const InsertionPlan plan = plan_of(kCases[0]);
  gpu::limit_device_memory(gpu::device_memory().used + 100'000);
  const auto solver = gpu::make_cuda_solver(device_);
  const Status fits = solver->fits(plan, Solve::division);
  ASSERT_FALSE(fits);
  EXPECT_NE(fits.error().message().find("free"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
