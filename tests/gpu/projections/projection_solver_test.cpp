#include "gpu/projections/projection_solver.hpp"

#include <cmath>
#include <cstring>
#include <random>
#include <utility>

#include "core/projections/inserter.hpp"
#include "core/projections/tile_sums.hpp"
#include "tests/gpu/cuda_fixture.hpp"
#include "tests/gpu/projections/drawn_planes.hpp"

namespace aprscope {
namespace {

using test::difference;

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

// Held, and what `use` makes of them.
template <class Use>
auto with(MapSolver& solver, const InsertionPlan& plan, const std::vector<float>& sums,
          const Use& use) -> decltype(use(std::declval<HeldSums&>())) {
  const auto held = solver.hold(plan, std::vector<float>(sums));
  if (!held) return held.error();
  return use(**held);
}

using Map = Result<std::vector<float>>;

Map divided(MapSolver& solver, const InsertionPlan& plan, const std::vector<float>& sums,
            std::span<const double> tau, const JobContext& context = {}) {
  return with(solver, plan, sums,
              [&](HeldSums& held) { return solver.divided(plan, held, tau, true, context); });
}

Map least_squares(MapSolver& solver, const InsertionPlan& plan, const std::vector<float>& sums,
                  std::span<const double> means, std::span<const double> tau,
                  const JobContext& context = {}) {
  return with(solver, plan, sums, [&](HeldSums& held) {
    return solver.least_squares(plan, held, means, tau, 5, context);
  });
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
    const auto wanted = divided(*make_cpu_solver(), plan, sums, tau);
    const auto solver = gpu::make_cuda_solver(device_);
    ASSERT_TRUE(solver->fits(plan, Solve::division));
    const auto got = divided(*solver, plan, sums, tau);
    ASSERT_TRUE(got && wanted);
    ASSERT_EQ(got->size(), wanted->size());
    EXPECT_LE(difference(*got, *wanted), 2e-6);
    const auto again = divided(*solver, plan, sums, tau);
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
      const auto wanted = least_squares(*make_cpu_solver(), plan, sums, means, tau);
      const auto solver = gpu::make_cuda_solver(device_);
      ASSERT_TRUE(solver->fits(plan, Solve::least_squares));
      const auto got = least_squares(*solver, plan, sums, means, tau);
      ASSERT_TRUE(got && wanted);
      // Conjugate gradients pass rounding on from step to step.
      EXPECT_LE(difference(*got, *wanted), 1e-4);
      const auto again = least_squares(*solver, plan, sums, means, tau);
      ASSERT_TRUE(again);
      EXPECT_EQ(std::memcmp(again->data(), got->data(), got->size() * sizeof(float)), 0);
    }
  }
}

TEST_F(ProjectionSolverTest, SumsAreCompletedAndMeasuredAsByTheProcessor) {
  for (const Case& c : kCases) {
    for (const char* symmetry : {"C1", "C4", "O", "I2"}) {
      SCOPED_TRACE(testing::Message() << c.name << ", " << symmetry);
      const InsertionPlan plan = plan_of(c);
      std::vector<float> sums(static_cast<std::size_t>(plan.tiles.floats()));
      std::mt19937 random(11);
      for (float& v : sums) v = static_cast<float>(static_cast<double>(random()) * 0x1p-32);
      const auto group = symmetry_group(symmetry);
      ASSERT_TRUE(group);
      const auto cpu = make_cpu_solver();
      const auto gpu = gpu::make_cuda_solver(device_);
      auto wanted = cpu->hold(plan, std::vector<float>(sums));
      auto got = gpu->hold(plan, std::vector<float>(sums));
      const auto more = gpu->hold(plan, std::vector<float>(sums));
      ASSERT_TRUE(wanted && got && more);
      ASSERT_TRUE(cpu->complete(plan, **wanted, group->aligned));
      ASSERT_TRUE(gpu->complete(plan, **got, group->aligned));
      const auto means = cpu->weights(plan, **wanted);
      const auto own = gpu->weights(plan, **got);
      ASSERT_TRUE(means && own);
      ASSERT_EQ(own->size(), means->size());
      for (std::size_t s = 0; s < means->size(); ++s) {
        EXPECT_NEAR((*own)[s], (*means)[s], 1e-12 * (*means)[s]);
      }
      // As many voxels, whatever they are counted on.
      const auto share = cpu->thin(plan, **wanted, *means, 0.9);
      const auto own_share = gpu->thin(plan, **got, *means, 0.9);
      ASSERT_TRUE(share && own_share);
      EXPECT_GT(*share, 0.01);
      EXPECT_NEAR(*own_share, *share, 1e-12);
      const auto a = cpu->let_go(*std::move(wanted));
      const auto b = gpu->let_go(*std::move(got));
      ASSERT_TRUE(a && b);
      for (std::int64_t tile = 0; tile < plan.tiles.count(); ++tile) {
        bool same = true;
        each_voxel(plan.tiles, tile,
                   [&](std::int64_t, std::int64_t, std::int64_t, std::int64_t at) {
                     for (std::int64_t channel = 0; channel < 3; ++channel) {
                       const auto i = static_cast<std::size_t>(at + channel * plan.tiles.voxels());
                       same = same && (*a)[i] == (*b)[i];
                     }
                   });
        ASSERT_TRUE(same) << "tile " << tile;
      }
    }
  }
}

TEST_F(ProjectionSolverTest, HalvesAddUp) {
  const InsertionPlan plan = plan_of(kCases[0]);
  auto sums = sums_of(plan);
  const auto solver = gpu::make_cuda_solver(device_);
  auto a = solver->hold(plan, std::vector<float>(sums));
  const auto b = solver->hold(plan, std::vector<float>(sums));
  ASSERT_TRUE(a && b);
  ASSERT_TRUE(solver->add(**a, **b));
  const auto both = solver->let_go(*std::move(a));
  ASSERT_TRUE(both);
  for (float& v : sums) v *= 2.0F;
  EXPECT_EQ(*both, sums);
}

TEST_F(ProjectionSolverTest, ItCanBeStopped) {
  std::stop_source stop;
  stop.request_stop();
  const InsertionPlan plan = plan_of(kCases[0]);
  const auto sums = sums_of(plan);
  const auto means = shell_weights(plan.tiles, sums);
  const auto solver = gpu::make_cuda_solver(device_);
  const JobContext context(stop.get_token());
  const auto by_division = divided(*solver, plan, sums, means, context);
  ASSERT_FALSE(by_division);
  EXPECT_TRUE(by_division.error().cancelled());
  const auto solved = least_squares(*solver, plan, sums, means, means, context);
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
