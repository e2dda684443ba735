// A blur that several ranks share, here threads, against the blur of one.
#include "core/deconvolution/blur/blur_shares.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/deconvolution/blur/full_psf_blur.hpp"
#include "core/deconvolution/blur/shared_filter.hpp"
#include "core/deconvolution/iterate/richardson_lucy.hpp"
#include "tests/core/deconvolution/naive_blur.hpp"
#include "tests/support/random_apr.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/thread_ranks.hpp"

namespace aprscope {
namespace {

using test::ThreadRanks;

std::vector<float> noise(std::size_t count) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<float> uniform(0.0F, 100.0F);
  std::vector<float> values(count);
  for (float& value : values) value = uniform(engine);
  return values;
}

TEST(BlurShares, CoverAllSlices) {
  const auto access = test::random_apr({{200, 40, 52}, 3, 0.6, true}).access;
  for (const int count : {2, 3, 7, 40}) {
    std::mutex mutex;
    std::vector<SliceSpan> all(static_cast<std::size_t>(count));
    std::vector<SliceSpan> known(static_cast<std::size_t>(count));
    ThreadRanks::run(count, [&](Ranks& ranks) {
      const BlurShares shares(*access, 5, ranks);
      {
        const std::lock_guard lock(mutex);
        all[static_cast<std::size_t>(ranks.place().rank)] = shares.slices();
        known[static_cast<std::size_t>(ranks.place().rank)] = shares.known();
        EXPECT_FALSE(shares.knows_everything());
      }
      static_cast<void>(ranks.part({}));
    });
    std::int64_t next = 0;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      EXPECT_EQ(all[rank].begin, next);
      next = all[rank].end;
      if (all[rank].empty()) continue;
      EXPECT_LE(known[rank].begin, std::max<std::int64_t>(all[rank].begin - 5, 0));
      EXPECT_GE(known[rank].end, std::min<std::int64_t>(all[rank].end + 5, 200));
      EXPECT_LE(known[rank].end - all[rank].end, 16);
      if (count == 2) {
        EXPECT_GT(all[rank].end - all[rank].begin, 60) << "random cells are spread evenly";
      }
    }
    EXPECT_EQ(next, 200);
  }
}

using MakeBlur = std::function<Result<std::unique_ptr<BlurModel>>(std::shared_ptr<BlurShares>)>;

// Both directions, applied to what came before, as iterations do.
std::vector<float> blurred_twice(BlurModel& model) {
  const std::vector<float> x = noise(model.count());
  std::vector<float> y(x.size());
  std::vector<float> z(x.size());
  EXPECT_TRUE(model.forward(x, y, {}).ok());
  EXPECT_TRUE(model.adjoint(y, z, {}).ok());
  return z;
}

void expect_the_blur_of_one(const AprAccess& access, std::optional<std::int64_t> reach,
                            const MakeBlur& make) {
  const std::vector<float> wanted = blurred_twice(**make(nullptr));
  for (const int count : {2, 3, 5}) {
    ThreadRanks::run(count, [&](Ranks& ranks) {
      const auto shares = std::make_shared<BlurShares>(access, reach, ranks);
      auto model = make(shares);
      ASSERT_TRUE(model.ok());
      std::vector<float> got = blurred_twice(**model);
      for (const BlurShares::Run& part : shares->known_parts()) {
        const auto begin = static_cast<std::ptrdiff_t>(part.begin * kValuesOfPart);
        const auto end =
            static_cast<std::ptrdiff_t>(std::min(part.end * kValuesOfPart, access.count()));
        EXPECT_TRUE(std::equal(got.begin() + begin, got.begin() + end, wanted.begin() + begin))
            << "rank " << ranks.place().rank << " of " << count << ", part " << part.begin;
      }
      EXPECT_TRUE(shares->gather(got).ok());
      EXPECT_EQ(got == wanted, true) << "rank " << ranks.place().rank << " of " << count;
      EXPECT_GT(ranks.moved_bytes(), 0U);
      static_cast<void>(ranks.part({}));
    });
  }
}

std::int64_t reach_of(const AprAccess& access, const Stencil& psf) {
  return blur_reach(
      access, *StencilPyramid::create(psf, StencilMode::restricted, false, access.level_max()));
}

TEST(BlurShares, GiveTheBlurOfOneToTheBit) {
  test::SanitizedShare share(3);
  for (const Size3 size :
       {Size3{170, 40, 52}, Size3{67, 45, 51}, Size3{4, 60, 70}, Size3{1, 60, 70}}) {
    const auto access = test::random_apr({size, 3, 0.6, true}).access;
    for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
      const Stencil separable = gaussian_stencil({1.0, 1.5, 1.2}, {5, 7, 5});
      const Stencil wide = gaussian_stencil({3.0, 1.5, 1.2}, {19, 7, 5});
      const Stencil lopsided = test::tailed_psf({3, 5, 7}, 1.3, 0.4);
      // Over more than the share next to one's own.
      const Stencil far = gaussian_stencil({9.0, 1.0, 1.0}, {91, 3, 3});
      for (const Stencil& psf : {separable, wide, lopsided, far}) {
        for (const bool everything : {false, true}) {
          if (!share.takes()) continue;
          const auto reach = everything ? std::nullopt : std::optional(reach_of(*access, psf));
          expect_the_blur_of_one(*access, reach, [&](std::shared_ptr<BlurShares> shares) {
            return make_particle_blur(access, psf, StencilMode::restricted, boundary,
                                      std::move(shares));
          });
        }
      }
    }
  }
}

TEST(BlurShares, GiveTheBlurOfAFullPsfToTheBit) {
  const auto access = test::random_apr({{40, 36, 44}, 3, 0.6, true}).access;
  for (const bool lean : {false, true}) {
    expect_the_blur_of_one(*access, std::nullopt, [&](std::shared_ptr<BlurShares> shares) {
      FullPsfOptions options;
      options.near = 3;
      options.lean = lean;
      options.shares = std::move(shares);
      auto blur = make_full_psf_blur(access, test::tailed_psf({9, 11, 11}, 1.5, 0.4), options);
      if (!blur) return Result<std::unique_ptr<BlurModel>>(blur.error());
      return Result<std::unique_ptr<BlurModel>>(std::unique_ptr<BlurModel>(*std::move(blur)));
    });
  }
}

// All of Richardson–Lucy: sums over values, regularisers, extrapolation, held-out photons.
TEST(BlurShares, IterateAsOneDoes) {
  const auto access = test::random_apr({{170, 60, 70}, 3, 0.75, true}).access;
  ASSERT_GT(access->count(), 10 * kValuesOfPart);
  const Stencil psf = gaussian_stencil({1.0, 1.5, 1.2}, {5, 7, 5});
  std::vector<float> image = noise(access->count());
  // Where there is no light an iterate begins with the blurred image.
  for (std::size_t i = 0; i < image.size(); i += 3) image[i] = 0.0F;
  struct Case {
    Boundary boundary = Boundary::reflect;
    Regularisation regularisation = Regularisation::none;
    bool accelerate = false;
    bool held_out = false;
    float background = 0.0F;
    DeconvolutionStart start = DeconvolutionStart::image;
    float brightness = 1.0F;
  };
  test::SanitizedShare share(2);
  for (const Case& c : {Case{}, Case{Boundary::zero, Regularisation::total_variation, true},
                        Case{Boundary::reflect, Regularisation::tikhonov_miller, false, true, 5.0F},
                        Case{Boundary::reflect, Regularisation::total_variation, true, true},
                        Case{.start = DeconvolutionStart::constant, .brightness = 1e14F},
                        Case{.start = DeconvolutionStart::given}}) {
    RichardsonLucyOptions options;
    options.iterations = 6;
    options.regularisation = c.regularisation;
    options.strength = 0.01;
    options.accelerate = c.accelerate;
    options.background.level = c.background;
    options.start = c.start;
    std::vector<float> seen = image;
    for (float& value : seen) value *= c.brightness;
    const std::vector<float> given =
        c.start == DeconvolutionStart::given ? noise(access->count()) : std::vector<float>();
    if (c.held_out) options.held_out = std::make_shared<std::vector<float>>(image);
    const auto iterated = [&](std::shared_ptr<BlurShares> shares, std::vector<double>& reports) {
      RichardsonLucyOptions own = options;
      own.shares = shares;
      auto model = *make_particle_blur(access, psf, StencilMode::restricted, c.boundary, shares);
      auto regulariser = *make_particle_regulariser(c.regularisation, access, shares);
      RichardsonLucyHooks hooks;
      hooks.observer = [&](const RichardsonLucyReport& report, std::span<const float>) {
        reports.insert(reports.end(), {report.likelihood, report.change, report.held_out});
      };
      return richardson_lucy(*model, seen, own, regulariser.get(), given, hooks);
    };
    std::vector<double> reports;
    const auto wanted = iterated(nullptr, reports);
    ASSERT_TRUE(wanted.ok()) << wanted.error().message();
    for (const int count : {2, 3, 5}) {
      if (!share.takes()) continue;
      ThreadRanks::run(count, [&](Ranks& ranks) {
        std::vector<double> own_reports;
        const auto got = iterated(
            std::make_shared<BlurShares>(*access, reach_of(*access, psf), ranks), own_reports);
        ASSERT_TRUE(got.ok()) << got.error().message();
        EXPECT_EQ(got->values == wanted->values, true) << count << " ranks";
        EXPECT_EQ(own_reports, reports) << count << " ranks";
        static_cast<void>(ranks.part({}));
      });
    }
  }
}

// Whichever of them is stopped first, and wherever: in a stencil, or in a far part.
TEST(BlurShares, StopTogether) {
  const auto access = test::random_apr({{90, 60, 70}, 3, 0.75, true}).access;
  const Stencil small = gaussian_stencil({1.0, 1.5, 1.2}, {5, 7, 5});
  const std::vector<float> image = noise(access->count());
  for (const bool with_far : {false, true}) {
    for (const bool lean : {false, true}) {
      for (const int stopped : {0, 1, 2}) {
        ThreadRanks::run(3, [&](Ranks& ranks) {
          const auto reach = with_far ? std::nullopt : std::optional(reach_of(*access, small));
          const auto shares = std::make_shared<BlurShares>(*access, reach, ranks);
          std::unique_ptr<BlurModel> model;
          if (with_far) {
            FullPsfOptions full;
            full.near = 3;
            full.lean = lean;
            full.shares = shares;
            model = *make_full_psf_blur(access, test::tailed_psf({9, 11, 11}, 1.5, 0.4), full);
          } else {
            model = *make_particle_blur(access, small, StencilMode::restricted, Boundary::reflect,
                                        shares);
          }
          RichardsonLucyOptions options;
          options.iterations = 100'000;
          options.shares = shares;
          std::stop_source stop;
          int iterations = 0;
          std::jthread later;
          RichardsonLucyHooks hooks;
          hooks.observer = [&](const RichardsonLucyReport&, std::span<const float>) {
            if (++iterations != 2 || ranks.place().rank != stopped) return;
            // At any moment of the iterations that follow.
            later = std::jthread([&stop, stopped] {
              std::this_thread::sleep_for(std::chrono::milliseconds(3 + 4 * stopped));
              stop.request_stop();
            });
          };
          const auto done = richardson_lucy(*model, image, options, nullptr, {}, hooks,
                                            JobContext(stop.get_token()));
          ASSERT_FALSE(done.ok());
          EXPECT_TRUE(done.error().cancelled());
          EXPECT_FALSE(ranks.part(done.error()).ok());
        });
      }
    }
  }
}

TEST(BlurShares, AnErrorOfOneRankIsThatOfAll) {
  const auto access = test::random_apr({{30, 36, 44}, 3, 0.6, true}).access;
  ThreadRanks::run(3, [&](Ranks& ranks) {
    BlurShares shares(*access, 3, ranks);
    std::vector<float> values(access->count());
    const Status mine =
        ranks.place().rank == 2 ? Status(Error{"is lost", "a value", ""}) : Status();
    const Status all = shares.share(mine, values);
    ASSERT_FALSE(all.ok());
    EXPECT_NE(all.error().message().find("is lost"), std::string::npos);
  });
}

}  // namespace
}  // namespace aprscope
