#include "gpu/deconvolution/pixel_deconvolution.hpp"

#include <algorithm>
#include <numeric>

#include "core/deconvolution/psf/back_projector.hpp"
#include "core/deconvolution/psf/psf.hpp"
#include "tests/core/deconvolution/naive_blur.hpp"
#include "tests/gpu/cuda_fixture.hpp"
#include "tests/gpu/observed_runs.hpp"

namespace aprscope {
namespace {

class PixelDeconvolutionTest : public test::CudaTest {};

constexpr PixelBlurMethod kMethods[] = {PixelBlurMethod::fft, PixelBlurMethod::mirrored,
                                        PixelBlurMethod::passes};

struct Case {
  const char* name;
  bool symmetric = true;
  Boundary boundary = Boundary::reflect;
  RichardsonLucyOptions options;
};

std::vector<Case> cases(std::uint64_t count) {
  std::vector<Case> all(12);
  all[0].name = "plain";
  all[1].name = "an odd PSF, zeros beyond the image";
  all[1].symmetric = false;
  all[1].boundary = Boundary::zero;
  all[2].name = "total variation";
  all[2].options.regularisation = Regularisation::total_variation;
  all[2].options.strength = 0.02;
  all[3].name = "Tikhonov–Miller, zeros beyond the image";
  all[3].boundary = Boundary::zero;
  all[3].options.regularisation = Regularisation::tikhonov_miller;
  // Much more, and rounding alone grows tenfold an iteration where light leaves the image.
  all[3].options.strength = 0.02;
  all[4].name = "accelerated";
  all[4].options.accelerate = true;
  all[5].name = "accelerated, an odd PSF, total variation";
  all[5].symmetric = false;
  all[5].options.accelerate = true;
  all[5].options.regularisation = Regularisation::total_variation;
  all[5].options.strength = 0.01;
  all[6].name = "from a constant";
  all[6].options.start = DeconvolutionStart::constant;
  all[7].name = "from given values";
  all[7].options.start = DeconvolutionStart::given;
  all[8].name = "Tikhonov–Miller";
  all[8].options.regularisation = Regularisation::tikhonov_miller;
  all[8].options.strength = 0.1;
  all[9].name = "above an offset and a constant light";
  all[9].options.offset = 4.5F;
  all[9].options.background.level = 6.0F;
  all[10].name = "above an offset and an image of light, accelerated, total variation";
  all[10].options.offset = 2.0F;
  all[10].options.background = test::uneven_light(count);
  all[10].options.accelerate = true;
  all[10].options.regularisation = Regularisation::total_variation;
  all[10].options.strength = 0.01;
  all[11].name = "above an image of light, zeros beyond the image, from a constant";
  all[11].boundary = Boundary::zero;
  all[11].options.background = test::uneven_light(count);
  all[11].options.start = DeconvolutionStart::constant;
  return all;
}

TEST_F(PixelDeconvolutionTest, IteratesAndReportsFollowThoseOfTheCpu) {
  for (const Size3& size : {Size3{30, 41, 26}, Size3{1, 64, 37}}) {
    const auto count = static_cast<std::uint64_t>(size.count());
    auto image = test::random_values(count, 48, 1.0F, 50.0F);
    // Some values that count as 0.
    for (std::size_t i = 0; i < image.size(); i += 7) image[i] = i % 2 == 0 ? 0.0F : -3.0F;
    const auto given = test::random_values(count, 49, 0.0F, 20.0F);
    for (const PixelBlurMethod method : kMethods) {
      for (Case& c : cases(count)) {
        SCOPED_TRACE(testing::Message() << size.z << " × " << size.x << " × " << size.y << ", "
                                        << c.name << ", method " << static_cast<int>(method));
        c.options.iterations = 6;
        const Size3 extent{size.z == 1 ? 1 : 7, 9, 5};
        const Stencil psf =
            c.symmetric ? test::tailed_psf(extent, 1.5) : test::tailed_psf(extent, 1.5, 0.4);
        const auto blur = make_pixel_blur(size, psf, c.boundary, method);
        ASSERT_TRUE(blur.ok()) << blur.error().message();
        const auto regulariser = make_pixel_regulariser(c.options.regularisation, size);
        ASSERT_TRUE(regulariser.ok());
        const auto cpu = test::observed_run([&](const RichardsonLucyHooks& hooks) {
          return richardson_lucy(**blur, image, c.options, regulariser->get(), given, hooks);
        });
        const auto gpu = test::observed_run([&](const RichardsonLucyHooks& hooks) {
          return gpu::deconvolve_pixels(*device_, size, psf, c.boundary, method, image, c.options,
                                        given, hooks, {});
        });
        test::expect_follows(gpu, cpu);
      }
    }
  }
}

TEST_F(PixelDeconvolutionTest, IterationsWithABackProjectorFollowThoseOfTheCpu) {
  const Size3 size{22, 41, 26};
  const auto count = static_cast<std::uint64_t>(size.count());
  auto image = test::random_values(count, 48, 1.0F, 50.0F);
  for (std::size_t i = 0; i < image.size(); i += 7) image[i] = i % 2 == 0 ? 0.0F : -3.0F;
  // With zeros beyond the image only a PSF whose back projector hardly rings: otherwise what ones
  // become falls to 0 near the border, and rounding grows.
  struct Projected {
    Stencil psf;
    WienerButterworth filter;
    Boundary boundary = Boundary::reflect;
  };
  for (const Projected& c : {Projected{test::tailed_psf({7, 9, 5}, 1.5), {0.01, 0.1, 10}},
                             Projected{test::tailed_psf({7, 9, 5}, 1.5, 0.4), {0.01, 0.1, 10}},
                             Projected{gaussian_stencil({0.9, 1.1, 1.0}, {5, 7, 7}).normalized(),
                                       {0.01, 0.05, 6},
                                       Boundary::zero}}) {
    const auto kernel = wiener_butterworth(c.psf, c.filter, {9, 13, 11});
    ASSERT_TRUE(kernel.ok()) << kernel.error().message();
    for (const PixelBlurMethod method : {PixelBlurMethod::passes, PixelBlurMethod::mirrored}) {
      for (const bool accelerate : {false, true}) {
        SCOPED_TRACE(testing::Message() << "PSF of " << c.psf.size.y << ", method "
                                        << static_cast<int>(method) << ", " << accelerate);
        const BackProjectorScheme back{
            *kernel,
            method == PixelBlurMethod::passes ? PixelBlurMethod::fft : PixelBlurMethod::mirrored,
            {}};
        RichardsonLucyOptions options;
        options.iterations = 5;
        options.unmatched = 2;
        options.accelerate = accelerate;
        const auto blur = make_pixel_blur(size, c.psf, c.boundary, method);
        ASSERT_TRUE(blur.ok()) << blur.error().message();
        auto projector = make_pixel_blur(size, *kernel, c.boundary, back.method);
        ASSERT_TRUE(projector.ok()) << projector.error().message();
        RichardsonLucyOptions on_cpu = options;
        on_cpu.back_projector = *std::move(projector);
        const auto cpu = test::observed_run([&](const RichardsonLucyHooks& hooks) {
          return richardson_lucy(**blur, image, on_cpu, nullptr, {}, hooks);
        });
        const auto gpu = test::observed_run([&](const RichardsonLucyHooks& hooks) {
          return gpu::deconvolve_pixels(*device_, size, c.psf, c.boundary, method, image, options,
                                        {}, hooks, {}, &back);
        });
        test::expect_follows(gpu, cpu);
      }
    }
  }
}

TEST_F(PixelDeconvolutionTest, KeepsTheFluxAndStaysPositive) {
  const Size3 size{24, 35, 41};
  const auto image =
      test::random_values(static_cast<std::uint64_t>(size.count()), 5, 0.0F, 1000.0F);
  const double flux = std::accumulate(image.begin(), image.end(), 0.0);
  RichardsonLucyOptions options;
  options.iterations = 8;
  for (const PixelBlurMethod method : kMethods) {
    const auto done = gpu::deconvolve_pixels(*device_, size, test::tailed_psf({9, 9, 9}, 2.0),
                                             Boundary::reflect, method, image, options, {}, {}, {});
    ASSERT_TRUE(done.ok()) << done.error().message();
    const std::vector<float>& values = done->result.values;
    EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.0), flux, 2e-5 * flux);
    EXPECT_GE(*std::min_element(values.begin(), values.end()), 0.0F);
  }
}

TEST_F(PixelDeconvolutionTest, EndsWhenAskedToAndRepeatsBitForBit) {
  const Size3 size{20, 31, 26};
  const auto image = test::random_values(static_cast<std::uint64_t>(size.count()), 18, 1.0F, 50.0F);
  RichardsonLucyOptions options;
  options.iterations = 20;
  const auto run = [&](const RichardsonLucyHooks& hooks, const JobContext& context) {
    return gpu::deconvolve_pixels(*device_, size, test::tailed_psf({9, 9, 9}, 2.0),
                                  Boundary::reflect, PixelBlurMethod::fft, image, options, {},
                                  hooks, context);
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
  EXPECT_EQ(five->result.values, partial->result.values);
  std::stop_source stop;
  hooks.keep = {};
  hooks.observer = [&](const RichardsonLucyReport&, std::span<const float>) {
    stop.request_stop();
  };
  const auto cancelled = run(hooks, JobContext(stop.get_token()));
  ASSERT_FALSE(cancelled.ok());
  EXPECT_TRUE(cancelled.error().cancelled());
}

TEST_F(PixelDeconvolutionTest, ItsTermsAreThoseOfTheCpu) {
  // One iteration from a constant, where the likelihood says little and the term much.
  const Size3 size{12, 17, 33};
  const auto count = static_cast<std::uint64_t>(size.count());
  const auto image = test::random_values(count, 3, 1.0F, 50.0F);
  const auto given = test::random_values(count, 4, 1.0F, 50.0F);
  const Stencil psf = gaussian_stencil({1, 1, 1}, {3, 3, 3});
  for (const Regularisation kind :
       {Regularisation::total_variation, Regularisation::tikhonov_miller}) {
    RichardsonLucyOptions options;
    options.iterations = 1;
    options.regularisation = kind;
    options.strength = 0.2;
    options.start = DeconvolutionStart::given;
    const auto blur = make_pixel_blur(size, psf, Boundary::reflect);
    const auto regulariser = make_pixel_regulariser(kind, size);
    ASSERT_TRUE(blur.ok() && regulariser.ok());
    const auto cpu = test::observed_run([&](const RichardsonLucyHooks& hooks) {
      return richardson_lucy(**blur, image, options, regulariser->get(), given, hooks);
    });
    const auto gpu = test::observed_run([&](const RichardsonLucyHooks& hooks) {
      return gpu::deconvolve_pixels(*device_, size, psf, Boundary::reflect,
                                    PixelBlurMethod::automatic, image, options, given, hooks, {});
    });
    test::expect_follows(gpu, cpu, 2e-5F);
  }
}

}  // namespace
}  // namespace aprscope
