#include "gpu/particle_deconvolution.hpp"

#include <algorithm>
#include <cmath>

#include "core/deconvolution/psf.hpp"
#include "gpu/octet_filter.hpp"
#include "tests/gpu/cuda_fixture.hpp"

namespace aprscope {
namespace {

class ParticleDeconvolutionTest : public test::CudaTest {
 protected:
  // Both ways, with what an observer sees.
  struct Run {
    Deconvolved result;
    std::vector<IterationReport> reports;
    std::vector<std::vector<float>> iterates;
  };
  template <class Work>
  static Run observed_run(const Work& work) {
    Run run;
    RichardsonLucyHooks hooks;
    hooks.observer = [&](const IterationReport& report, std::span<const float> iterate) {
      run.reports.push_back(report);
      run.iterates.emplace_back(iterate.begin(), iterate.end());
    };
    auto result = work(hooks);
    EXPECT_TRUE(result.ok()) << result.error().message();
    if (result) run.result = *std::move(result);
    return run;
  }
};

Stencil test_psf(bool symmetric) {
  Stencil psf = gaussian_stencil({1, 1, 1}, {5, 5, 5});
  if (!symmetric) {
    for (std::size_t i = 0; i < psf.weights.size(); ++i) {
      psf.weights[i] *=
          1.0 + 0.5 * static_cast<double>(i) / static_cast<double>(psf.weights.size());
    }
    const double sum = psf.sum();
    for (double& w : psf.weights) w /= sum;
  }
  return psf;
}

TEST_F(ParticleDeconvolutionTest, IteratesAndReportsFollowThoseOfTheCpu) {
  const auto access = test::random_access({{30, 41, 26}, 47, 0.6, true});
  auto image = test::random_values(access->count(), 48, 1.0F, 50.0F);
  // Some values that count as 0.
  for (std::size_t i = 0; i < image.size(); i += 7) image[i] = i % 2 == 0 ? 0.0F : -3.0F;
  const auto given = test::random_values(access->count(), 49, 0.0F, 20.0F);
  struct Case {
    const char* name;
    bool symmetric = true;
    Boundary boundary = Boundary::reflect;
    RichardsonLucyOptions options;
  };
  std::vector<Case> cases(7);
  cases[0].name = "plain";
  cases[1].name = "an odd PSF, zeros beyond the image";
  cases[1].symmetric = false;
  cases[1].boundary = Boundary::zero;
  cases[2].name = "total variation";
  cases[2].options.regularisation = Regularisation::total_variation;
  cases[2].options.strength = 0.02;
  cases[3].name = "Tikhonov–Miller";
  cases[3].options.regularisation = Regularisation::tikhonov_miller;
  cases[3].options.strength = 0.1;
  cases[4].name = "accelerated";
  cases[4].options.accelerate = true;
  cases[5].name = "from a constant";
  cases[5].options.start = DeconvolutionStart::constant;
  cases[6].name = "from given values";
  cases[6].options.start = DeconvolutionStart::given;
  for (Case& c : cases) {
    SCOPED_TRACE(c.name);
    c.options.iterations = 6;
    const Stencil psf = test_psf(c.symmetric);
    for (const StencilMode mode : {StencilMode::restricted, StencilMode::same}) {
      // Extrapolated iterates are followed in the mode that operations use.
      if (c.options.accelerate && mode == StencilMode::same) continue;
      auto blur = make_particle_blur(access, psf, mode, c.boundary);
      ASSERT_TRUE(blur.ok());
      auto regulariser = make_particle_regulariser(c.options.regularisation, access);
      ASSERT_TRUE(regulariser.ok());
      const Run cpu = observed_run([&](const RichardsonLucyHooks& hooks) {
        return richardson_lucy(**blur, image, c.options, regulariser->get(), given, hooks);
      });
      const Run gpu = observed_run([&](const RichardsonLucyHooks& hooks) {
        return gpu::deconvolve_particles(device_, access, psf, mode, c.boundary, image, c.options,
                                         given, hooks, {});
      });
      ASSERT_EQ(gpu.reports.size(), cpu.reports.size());
      EXPECT_EQ(gpu.result.iterations, cpu.result.iterations);
      EXPECT_EQ(gpu.result.negatives, cpu.result.negatives);
      for (std::size_t i = 0; i < cpu.reports.size(); ++i) {
        SCOPED_TRACE(testing::Message()
                     << (mode == StencilMode::same ? "same" : "restricted") << " " << i + 1
                     << ": change " << gpu.reports[i].change << " / " << cpu.reports[i].change);
        EXPECT_EQ(gpu.reports[i].iteration, cpu.reports[i].iteration);
        EXPECT_NEAR(gpu.reports[i].likelihood, cpu.reports[i].likelihood,
                    1e-5 * std::abs(cpu.reports[i].likelihood));
        EXPECT_NEAR(gpu.reports[i].change, cpu.reports[i].change, 1e-4 * cpu.reports[i].change);
        const float largest = *std::max_element(cpu.iterates[i].begin(), cpu.iterates[i].end());
        for (std::size_t k = 0; k < image.size(); ++k) {
          ASSERT_NEAR(gpu.iterates[i][k], cpu.iterates[i][k],
                      1e-4F * (cpu.iterates[i][k] + 0.01F * largest))
              << "iteration " << i + 1 << ", particle " << k;
        }
      }
      EXPECT_EQ(gpu.result.values, gpu.iterates.back());
    }
  }
}

TEST_F(ParticleDeconvolutionTest, TheTermOfTotalVariationIsThatOfTheCpu) {
  const test::Sample s(test::random_access({{33, 17, 49}, 4, 0.6, true}));
  const auto regulariser = make_particle_regulariser(Regularisation::total_variation, s.access);
  ASSERT_TRUE(regulariser.ok());
  std::vector<float> expected(s.values.size());
  ASSERT_TRUE((*regulariser)->term(s.values, 1000.0F, expected, {}).ok());
  const gpu::OctetApr apr(s.access, device_);
  const gpu::OctetValues in = apr.make_values();
  const gpu::OctetValues out = apr.make_values();
  apr.upload(s.values, in);
  gpu::total_variation(apr, 1.0F, in, out);
  std::vector<float> got(expected.size());
  apr.download(out, got);
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], 2e-5) << i;
}

TEST_F(ParticleDeconvolutionTest, EndsWhenAskedToAndRepeatsBitForBit) {
  const auto access = test::random_access({{30, 31, 26}, 17, 0.6, true});
  const auto image = test::random_values(access->count(), 18, 1.0F, 50.0F);
  RichardsonLucyOptions options;
  options.iterations = 20;
  const auto run = [&](const RichardsonLucyHooks& hooks, const JobContext& context) {
    return gpu::deconvolve_particles(device_, access, test_psf(true), StencilMode::restricted,
                                     Boundary::reflect, image, options, {}, hooks, context);
  };
  std::stop_source keep;
  RichardsonLucyHooks hooks;
  hooks.keep = keep.get_token();
  hooks.observer = [&](const IterationReport& report, std::span<const float>) {
    if (report.iteration == 5) keep.request_stop();
  };
  const auto partial = run(hooks, {});
  ASSERT_TRUE(partial.ok());
  EXPECT_TRUE(partial->partial);
  EXPECT_EQ(partial->iterations, 5);
  options.iterations = 5;
  const auto five = run({}, {});
  ASSERT_TRUE(five.ok());
  EXPECT_FALSE(five->partial);
  EXPECT_EQ(five->values, partial->values);
  options.iterations = 500;
  options.stop_change = 0.05;
  const auto converged = run({}, {});
  ASSERT_TRUE(converged.ok());
  EXPECT_TRUE(converged->converged);
  EXPECT_LT(converged->iterations, 500);
  std::stop_source stop;
  stop.request_stop();
  const auto cancelled = run({}, JobContext(stop.get_token()));
  ASSERT_FALSE(cancelled.ok());
  EXPECT_TRUE(cancelled.error().cancelled());
}

}  // namespace
}  // namespace aprscope
