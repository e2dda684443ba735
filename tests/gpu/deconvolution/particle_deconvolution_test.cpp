#include "gpu/deconvolution/particle_deconvolution.hpp"

#include <string>

#include "core/deconvolution/psf/back_projector.hpp"
#include "core/deconvolution/psf/psf.hpp"
#include "gpu/octet/octet_filter.hpp"
#include "tests/core/deconvolution/naive_blur.hpp"
#include "tests/gpu/cuda_fixture.hpp"
#include "tests/gpu/observed_runs.hpp"

namespace aprscope {
namespace {

class ParticleDeconvolutionTest : public test::CudaTest {};

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
  std::vector<Case> cases(10);
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
  cases[7].name = "above an offset and a constant light";
  cases[7].options.offset = 4.5F;
  cases[7].options.background.level = 6.0F;
  cases[8].name = "above an offset and an image of light, accelerated, total variation";
  cases[8].options.offset = 2.0F;
  cases[8].options.background = test::uneven_light(access->count());
  cases[8].options.accelerate = true;
  cases[8].options.regularisation = Regularisation::total_variation;
  cases[8].options.strength = 0.02;
  cases[9].name = "above an image of light, zeros beyond the image, from a constant";
  cases[9].boundary = Boundary::zero;
  cases[9].options.background = test::uneven_light(access->count());
  cases[9].options.start = DeconvolutionStart::constant;
  for (Case& c : cases) {
    SCOPED_TRACE(c.name);
    c.options.iterations = 6;
    const Stencil psf = test_psf(c.symmetric);
    for (const StencilMode mode : {StencilMode::restricted, StencilMode::same}) {
      SCOPED_TRACE(mode == StencilMode::same ? "same" : "restricted");
      auto blur = make_particle_blur(access, psf, mode, c.boundary);
      ASSERT_TRUE(blur.ok());
      auto regulariser = make_particle_regulariser(c.options.regularisation, access);
      ASSERT_TRUE(regulariser.ok());
      const auto cpu = test::observed_run([&](const RichardsonLucyHooks& hooks) {
        return richardson_lucy(**blur, image, c.options, regulariser->get(), given, hooks);
      });
      const auto gpu = test::observed_run([&](const RichardsonLucyHooks& hooks) {
        return gpu::deconvolve_particles(device_, access, psf, mode, c.boundary, image, c.options,
                                         given, hooks, {});
      });
      test::expect_follows(gpu, cpu);
    }
  }
}

// The back projector as a stencil on each level, and with a near and a far part; the blur as well.
TEST_F(ParticleDeconvolutionTest, IterationsWithABackProjectorFollowThoseOfTheCpu) {
  const auto access = test::random_access({{30, 41, 26}, 47, 0.6, true});
  const auto image = test::random_values(access->count(), 48, 1.0F, 50.0F);
  for (const double skew : {0.0, 0.4}) {
    const Stencil psf = test::tailed_psf({9, 9, 9}, 1.5, skew);
    for (const char* how : {"stencils", "a far part", "far parts of both", "lean"}) {
      for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
        SCOPED_TRACE(testing::Message()
                     << how << ", skew " << skew << ", boundary " << static_cast<int>(boundary));
        const std::string scheme = how;
        const Size3 extent = scheme == "stencils" ? psf.size : Size3{17, 17, 17};
        const auto kernel = wiener_butterworth(psf, {0.01, 0.1, 10}, extent);
        ASSERT_TRUE(kernel.ok()) << kernel.error().message();
        FullPsfOptions full;
        full.near = 5;
        full.middle = 5;
        full.lean = scheme == "lean";
        full.boundary = boundary;
        BackProjectorScheme back{*kernel, PixelBlurMethod::fft, {}};
        if (scheme != "stencils") back.full = full;
        const bool both = scheme == "far parts of both" || scheme == "lean";
        const auto blur_by = [&](const Stencil& by,
                                 bool far) -> Result<std::unique_ptr<BlurModel>> {
          if (!far) return make_particle_blur(access, by, StencilMode::restricted, boundary);
          auto made = make_full_psf_blur(access, by, full);
          if (!made) return made.error();
          return std::unique_ptr<BlurModel>(*std::move(made));
        };
        const auto blur = blur_by(psf, both);
        ASSERT_TRUE(blur.ok()) << blur.error().message();
        auto projector = blur_by(*kernel, back.full.has_value());
        ASSERT_TRUE(projector.ok()) << projector.error().message();
        RichardsonLucyOptions options;
        options.iterations = 5;
        options.unmatched = 2;
        RichardsonLucyOptions on_cpu = options;
        on_cpu.back_projector = *std::move(projector);
        const auto cpu = test::observed_run([&](const RichardsonLucyHooks& hooks) {
          return richardson_lucy(**blur, image, on_cpu, nullptr, {}, hooks);
        });
        const auto gpu = test::observed_run([&](const RichardsonLucyHooks& hooks) {
          if (both) {
            return gpu::deconvolve_particles_fully(device_, access, psf, full, image, options, {},
                                                   hooks, {}, &back);
          }
          return gpu::deconvolve_particles(device_, access, psf, StencilMode::restricted, boundary,
                                           image, options, {}, hooks, {}, &back);
        });
        test::expect_follows(gpu, cpu);
      }
    }
  }
}

TEST_F(ParticleDeconvolutionTest, WithTheFullPsfIteratesFollowThoseOfTheCpu) {
  const auto access = test::random_access({{30, 41, 26}, 47, 0.6, true});
  const auto image = test::random_values(access->count(), 48, 1.0F, 50.0F);
  for (const bool lean : {false, true}) {
    for (const double skew : {0.0, 0.5}) {
      for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
        for (const bool accelerate : {false, true}) {
          SCOPED_TRACE(testing::Message() << (lean ? "lean" : "full") << ", skew " << skew
                                          << (boundary == Boundary::zero ? ", zero" : ", reflect")
                                          << (accelerate ? ", accelerated" : ""));
          const Stencil psf = test::tailed_psf({31, 27, 35}, 2.5, skew);
          FullPsfOptions full;
          full.near = 5;
          full.middle = 5;
          full.lean = lean;
          full.boundary = boundary;
          RichardsonLucyOptions options;
          options.iterations = 5;
          options.accelerate = accelerate;
          const auto blur = make_full_psf_blur(access, psf, full);
          ASSERT_TRUE(blur.ok()) << blur.error().message();
          const auto cpu = test::observed_run([&](const RichardsonLucyHooks& hooks) {
            return richardson_lucy(**blur, image, options, nullptr, {}, hooks);
          });
          const auto gpu = test::observed_run([&](const RichardsonLucyHooks& hooks) {
            return gpu::deconvolve_particles_fully(device_, access, psf, full, image, options, {},
                                                   hooks, {});
          });
          test::expect_follows(gpu, cpu);
        }
      }
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
  hooks.observer = [&](const RichardsonLucyReport& report, std::span<const float>) {
    if (report.iteration == 5) keep.request_stop();
  };
  const auto partial = run(hooks, {});
  ASSERT_TRUE(partial.ok());
  EXPECT_TRUE(partial->result.partial);
  EXPECT_EQ(partial->result.iterations, 5);
  options.iterations = 5;
  const auto five = run({}, {});
  ASSERT_TRUE(five.ok());
  EXPECT_FALSE(five->result.partial);
  EXPECT_EQ(five->result.values, partial->result.values);
  options.iterations = 500;
  options.stop_change = 0.05;
  const auto converged = run({}, {});
  ASSERT_TRUE(converged.ok());
  EXPECT_TRUE(converged->result.converged);
  EXPECT_LT(converged->result.iterations, 500);
  std::stop_source stop;
  stop.request_stop();
  const auto cancelled = run({}, JobContext(stop.get_token()));
  ASSERT_FALSE(cancelled.ok());
  EXPECT_TRUE(cancelled.error().cancelled());
}

}  // namespace
}  // namespace aprscope
