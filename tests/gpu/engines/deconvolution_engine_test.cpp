#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/deconvolution/psf/psf.hpp"
#include "core/operations/deconvolve/background_parameters.hpp"
#include "core/operations/deconvolve/deconvolution_operation.hpp"
#include "gpu/engines/devices.hpp"
#include "tests/core/deconvolution/naive_blur.hpp"

// One body for every back end: "deconvolve" follows the CPU's iterations.
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
  // What the CPU's engine makes of it, by its own plan.
  static void expect_cpu_result(const Operation& operation, const Dataset& data,
                                const IterationHooks& hooks, std::span<const float> values) {
    const auto whole_operation = complete(operation);
    ASSERT_TRUE(whole_operation.ok());
    const auto plan = plan_deconvolution(*whole_operation, data.voxel(), data.size());
    ASSERT_TRUE(plan.ok()) << plan.error().message();
    IterationHooks silent;
    silent.start = hooks.start;
    silent.background = hooks.background;
    const auto expected = deconvolve(*plan, data, silent, {});
    ASSERT_TRUE(expected.ok()) << expected.error().message();
    const auto& wanted = expected->result.values;
    ASSERT_EQ(values.size(), wanted.size());
    const float largest = *std::max_element(wanted.begin(), wanted.end());
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_NEAR(values[i], wanted[i], 1e-4F * (wanted[i] + 0.01F * largest)) << i;
    }
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

        expect_cpu_result(operation, *data, hooks,
                          std::get<std::vector<float>>(apr.main_field()->values));
      }
    }
  }
}

// The whole of a PSF that is no product of three, on particles.
TEST_P(BackendDeconvolution, TheFullPsfFollowsThatOfTheCpu) {
  for (const Size3& size : {Size3{30, 41, 26}, Size3{1, 70, 61}}) {
    const auto data = dataset(test::random_access({size, 47, 0.6, true}), 48);
    const Stencil psf = test::tailed_psf({size.z == 1 ? 1 : 21, 23, 25}, 2.0, 0.3);
    for (const char* scheme : {"full", "lean", "truncated"}) {
      for (const char* boundary : {"reflect", "zero"}) {
        for (const bool accelerate : {false, true}) {
          SCOPED_TRACE(testing::Message() << scheme << ", " << boundary << ", z " << size.z
                                          << (accelerate ? ", accelerated" : ""));
          const Operation operation{"deconvolve",
                                    {{"iterations", std::int64_t{3}},
                                     {"scheme", std::string(scheme)},
                                     {"near", std::int64_t{5}},
                                     {"accelerate", accelerate},
                                     {"boundary", std::string(boundary)},
                                     {"psf", std::string("given")},
                                     {"psf_weights", psf}}};
          const auto result = backend_->run(operation, *data, {});
          ASSERT_TRUE(result.ok()) << result.error().message();
          const auto& apr = std::get<Apr>(*result);
          EXPECT_NE(apr.history.back().find("[" + std::string(GetParam()) + "]"), std::string::npos)
              << apr.history.back();
          EXPECT_EQ(apr.history.back().find("near part") == std::string::npos,
                    scheme == std::string("truncated"))
              << apr.history.back();
          expect_cpu_result(operation, *data, {},
                            std::get<std::vector<float>>(apr.main_field()->values));
        }
      }
    }
  }
}

TEST_P(BackendDeconvolution, PixelsFollowThoseOfTheCpu) {
  for (const Size3& size : {Size3{18, 25, 31}, Size3{1, 40, 53}}) {
    Volume volume;
    Pixels<float> pixels(size);
    pixels.values = test::random_values(static_cast<std::uint64_t>(size.count()), 5, 1.0F, 50.0F);
    volume.pixels = std::move(pixels);
    volume.name = "image";
    const auto data = Dataset::create(std::move(volume));
    const std::int64_t z = size.z == 1 ? 1 : 9;
    // By three passes, in one, and by Fourier transform.
    for (const Stencil& psf : {gaussian_stencil({z == 1 ? 0.0 : 1.0, 1, 1}),
                               test::tailed_psf({z == 1 ? 1 : 3, 5, 3}, 1.0, 0.4),
                               test::tailed_psf({z, 11, 13}, 2.0, 0.4)}) {
      for (const char* regularisation : {"none", "total_variation", "tikhonov_miller"}) {
        for (const char* boundary : {"reflect", "zero"}) {
          SCOPED_TRACE(testing::Message()
                       << regularisation << ", " << boundary << ", PSF " << psf.size.z << " × "
                       << psf.size.x << " × " << psf.size.y);
          const Operation operation{"deconvolve",
                                    {{"iterations", std::int64_t{4}},
                                     {"regularisation", std::string(regularisation)},
                                     {"boundary", std::string(boundary)},
                                     {"psf", std::string("given")},
                                     {"psf_weights", psf.normalized()}}};
          IterationHooks hooks;
          int seen = 0;
          hooks.observer = [&](const IterationReport& report, std::span<const float> iterate) {
            EXPECT_EQ(report.iteration, ++seen);
            EXPECT_EQ(iterate.size(), static_cast<std::size_t>(size.count()));
          };
          const auto result = backend_->iterate(operation, *data, hooks, {});
          ASSERT_TRUE(result.ok()) << result.error().message();
          EXPECT_EQ(seen, 4);
          const auto& made = std::get<Volume>(*result);
          EXPECT_EQ(made.name, "image");
          expect_cpu_result(operation, *data, {}, std::get<Pixels<float>>(made.pixels).values);
        }
      }
    }
  }
}

// Offset and background, from the words of the operation on, for every model of a blur.
TEST_P(BackendDeconvolution, LightBelowTheImageIsThatOfTheCpu) {
  const Size3 size{18, 25, 31};
  Volume volume;
  Pixels<float> pixels(size);
  pixels.values = test::random_values(static_cast<std::uint64_t>(size.count()), 5, 1.0F, 50.0F);
  volume.pixels = std::move(pixels);
  volume.name = "image";
  Volume under;
  under.pixels = Pixels<float>(size, 3.0F);
  auto& light = std::get<Pixels<float>>(under.pixels).values;
  for (std::size_t i = 0; i < light.size(); ++i) light[i] += static_cast<float>(i % 7);
  const auto background = Dataset::create(Data{under});
  const Stencil large = test::tailed_psf({9, 11, 13}, 2.0, 0.4).normalized();
  const Stencil small = gaussian_stencil({1, 1, 1}).normalized();
  for (const auto& data :
       {Dataset::create(Data{volume}), dataset(test::random_access({size, 47, 0.6, true}), 48)}) {
    for (const Stencil& psf : {small, large}) {
      for (const char* scheme : {"full", "lean", "truncated"}) {
        for (const bool is_image : {false, true}) {
          for (const bool guessed : {false, true}) {
            SCOPED_TRACE(testing::Message() << scheme << ", PSF " << psf.size.z
                                            << (data->is_apr() ? ", particles" : ", pixels")
                                            << (is_image ? ", an image" : ", a constant"));
            Operation operation{"deconvolve",
                                {{"iterations", std::int64_t{4}},
                                 {"scheme", std::string(scheme)},
                                 {"near", std::int64_t{5}},
                                 {"psf", std::string("given")},
                                 {"psf_weights", psf}}};
            if (guessed) {
              operation.parameters["offset_auto"] = true;
            } else {
              operation.parameters["offset"] = 4.0;
            }
            IterationHooks hooks;
            if (is_image) {
              hooks.background = background;
            } else {
              operation.parameters["background"] = 5.0;
            }
            const auto result = backend_->iterate(operation, *data, hooks, {});
            ASSERT_TRUE(result.ok()) << result.error().message();
            const auto made = Dataset::create(*result);
            const Operation known = with_guesses(*complete(operation), *data);
            if (made->is_apr()) {
              EXPECT_NE(made->apr().history.back().find("[" + std::string(GetParam()) + "]"),
                        std::string::npos);
              EXPECT_NE(made->apr().history.back().find("offset=" +
                                                        to_text(known.parameters.at("offset"))),
                        std::string::npos)
                  << made->apr().history.back();
            }
            expect_cpu_result(known, *data, hooks,
                              made->is_apr()
                                  ? std::span<const float>(made->values().particles())
                                  : std::span<const float>(made->values().pixels().values));
          }
        }
      }
    }
  }
}

// What held-out photons say of each iteration, and what follows from it.
TEST_P(BackendDeconvolution, HeldOutPhotonsSayTheSameAsOnTheCpu) {
  const auto particles = dataset(test::random_access({{30, 41, 26}, 47, 0.6, true}), 48);
  Volume volume;
  volume.pixels = Pixels<float>({20, 24, 28}, 0.0F);
  auto& values = std::get<Pixels<float>>(volume.pixels).values;
  values = test::random_values(values.size(), 49, 1.0F, 50.0F);
  const auto pixels = Dataset::create(std::move(volume));
  for (const auto& data : {particles, pixels}) {
    for (const double background : {0.0, 3.0}) {
      SCOPED_TRACE(testing::Message() << (data->is_apr() ? "particles " : "pixels ") << background);
      const Operation operation{"deconvolve",
                                {{"iterations", std::int64_t{8}},
                                 {"photon_gain", 2.0},
                                 {"offset", 1.0},
                                 {"background", background}}};
      const auto figures = [&](const Backend& on) {
        std::vector<std::pair<bool, double>> said;
        IterationHooks hooks;
        hooks.observer = [&](const IterationReport& report, std::span<const float>) {
          said.emplace_back(report.searching, *report.figure("held_out"));
        };
        const auto result = on.iterate(operation, *data, hooks, {});
        EXPECT_TRUE(result.ok()) << result.error().message();
        return said;
      };
      const auto own = figures(*backend_);
      const auto expected = figures(*cpu_backend());
      ASSERT_EQ(own.size(), expected.size());
      for (std::size_t i = 0; i < own.size(); ++i) {
        ASSERT_EQ(own[i].first, expected[i].first) << i;
        if (own[i].first) {
          EXPECT_NEAR(own[i].second, expected[i].second, 1e-5 * std::abs(expected[i].second)) << i;
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
