// A blur that several ranks share, here threads, against the blur of one.
#include "core/deconvolution/blur/blur_shares.hpp"

#include <functional>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/deconvolution/blur/full_psf_blur.hpp"
#include "tests/core/deconvolution/naive_blur.hpp"
#include "tests/support/random_apr.hpp"
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

TEST(BlurShares, CoverAllSlicesInPairs) {
  const auto access = test::random_apr({{75, 40, 52}, 3, 0.6, true}).access;
  for (const int count : {2, 3, 7, 60}) {
    std::mutex mutex;
    std::vector<SliceRange> all(static_cast<std::size_t>(count));
    ThreadRanks::run(count, [&](Ranks& ranks) {
      const BlurShares shares(*access, ranks);
      {
        const std::lock_guard lock(mutex);
        all[static_cast<std::size_t>(ranks.place().rank)] = shares.slices();
      }
      static_cast<void>(ranks.part({}));
    });
    std::int64_t next = 0;
    for (const SliceRange& range : all) {
      EXPECT_EQ(range.begin, next);
      EXPECT_TRUE(range.end % 2 == 0 || range.end == 75);
      if (count == 2) {
        EXPECT_GT(range.end - range.begin, 20) << "random cells are spread evenly";
      }
      next = range.end;
    }
    EXPECT_EQ(next, 75);
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

void expect_the_blur_of_one(const AprAccess& access, const MakeBlur& make) {
  const std::vector<float> wanted = blurred_twice(**make(nullptr));
  for (const int count : {2, 3, 5}) {
    ThreadRanks::run(count, [&](Ranks& ranks) {
      auto model = make(std::make_shared<BlurShares>(access, ranks));
      ASSERT_TRUE(model.ok());
      EXPECT_EQ(blurred_twice(**model) == wanted, true)
          << "rank " << ranks.place().rank << " of " << count;
      EXPECT_GT(ranks.moved_bytes(), 0U);
      static_cast<void>(ranks.part({}));
    });
  }
}

TEST(BlurShares, GiveTheBlurOfOneToTheBit) {
  for (const Size3 size : {Size3{70, 40, 52}, Size3{4, 60, 70}, Size3{1, 60, 70}}) {
    const auto access = test::random_apr({size, 3, 0.6, true}).access;
    for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
      const Stencil separable = gaussian_stencil({1.0, 1.5, 1.2}, {5, 7, 5});
      const Stencil lopsided = test::tailed_psf({3, 5, 7}, 1.3, 0.4);
      for (const Stencil& psf : {separable, lopsided}) {
        expect_the_blur_of_one(*access, [&](std::shared_ptr<BlurShares> shares) {
          return make_particle_blur(access, psf, StencilMode::restricted, boundary,
                                    std::move(shares));
        });
      }
    }
  }
}

TEST(BlurShares, GiveTheBlurOfAFullPsfToTheBit) {
  const auto access = test::random_apr({{40, 36, 44}, 3, 0.6, true}).access;
  for (const bool lean : {false, true}) {
    expect_the_blur_of_one(*access, [&](std::shared_ptr<BlurShares> shares) {
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

TEST(BlurShares, AnErrorOfOneRankIsThatOfAll) {
  const auto access = test::random_apr({{30, 36, 44}, 3, 0.6, true}).access;
  ThreadRanks::run(3, [&](Ranks& ranks) {
    BlurShares shares(*access, ranks);
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
