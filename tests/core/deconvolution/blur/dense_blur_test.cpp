#include "core/deconvolution/blur/dense_blur.hpp"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "tests/core/deconvolution/naive_blur.hpp"
#include "tests/support/sanitized.hpp"

namespace aprscope {
namespace {

using test::Beyond;

Pixels<double> picture(const Size3& size) {
  const auto values = test::random_values(static_cast<std::uint64_t>(size.count()), 5, -1, 1);
  Pixels<double> out(size);
  for (std::size_t i = 0; i < values.size(); ++i) out.values[i] = values[i];
  return out;
}

void put_all(DenseBlur& blur, const Pixels<double>& image) {
  std::vector<float> row(static_cast<std::size_t>(image.size.y));
  for (std::int64_t z = 0; z < image.size.z; ++z) {
    for (std::int64_t x = 0; x < image.size.x; ++x) {
      for (std::int64_t y = 0; y < image.size.y; ++y) {
        row[static_cast<std::size_t>(y)] = static_cast<float>(image.at(z, x, y));
      }
      blur.put(z, x, row.data());
    }
  }
}

std::vector<float> get(const DenseBlur& blur, std::int64_t z, std::int64_t x) {
  std::vector<float> sum(static_cast<std::size_t>(blur.stored()), 0.0F);
  blur.add(z, x, 2.0F, sum.data());
  std::vector<float> row(static_cast<std::size_t>(blur.size().y + 2));
  blur.unfold(sum.data(), row.data());
  for (float& v : row) v *= 0.5F;
  return row;
}

// Every value, one outside the grid on each side included.
void expect_blur(DenseBlur& blur, const Stencil& kernel, Beyond rule, bool flip) {
  const Pixels<double> image = picture(blur.size());
  put_all(blur, image);
  ASSERT_TRUE(blur.run(flip, {}));
  const Stencil used = flip ? flipped(kernel) : kernel;
  double weight = 0.0;
  for (const double w : kernel.weights) weight += std::abs(w);
  const Size3& n = blur.size();
  double worst = 0.0;
  for (std::int64_t z = -1; z <= n.z; ++z) {
    for (std::int64_t x = -1; x <= n.x; ++x) {
      const std::vector<float> row = get(blur, z, x);
      for (std::int64_t y = -1; y <= n.y; ++y) {
        const double exact = test::naive_blur_at(image, used, {z, x, y}, rule);
        worst = std::max(worst, std::abs(exact - row[static_cast<std::size_t>(y + 1)]));
      }
    }
  }
  EXPECT_LT(worst, 2e-6 * weight) << blur.description();
}

TEST(DenseBlur, MirroredEqualsTheSumOverAGridMirroredAboutItsFaces) {
  for (const test::GridCase& c : test::grid_cases()) {
    const Stencil kernel = test::tailed_psf(c.kernel, 2.0);
    auto blur = make_mirror_blur(c.grid, kernel);
    ASSERT_TRUE(blur) << blur.error().message();
    expect_blur(**blur, kernel, Beyond::faces, false);
    expect_blur(**blur, kernel, Beyond::faces, true);
  }
}

TEST(DenseBlur, PaddedEqualsTheSumOverTheBoundary) {
  test::SanitizedShare share(3);
  for (const test::GridCase& c : test::grid_cases()) {
    for (const double skew : {0.0, 0.5}) {
      const Stencil kernel = test::tailed_psf(c.kernel, 2.0, skew);
      for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
        if (!share.takes()) continue;
        auto blur = make_padded_blur(c.grid, kernel, boundary);
        ASSERT_TRUE(blur) << blur.error().message();
        const Beyond rule = boundary == Boundary::zero ? Beyond::zero : Beyond::faces;
        expect_blur(**blur, kernel, rule, false);
        expect_blur(**blur, kernel, rule, true);
        // A second run does not see what the first one left.
        expect_blur(**blur, kernel, rule, false);
      }
    }
  }
}

TEST(DenseBlur, ChoosesTheMirrorForEvenKernelsOnly) {
  const Size3 grid{16, 16, 16};
  const auto even = make_dense_blur(grid, test::tailed_psf({9, 9, 9}, 2.0), Boundary::reflect);
  const auto skewed =
      make_dense_blur(grid, test::tailed_psf({9, 9, 9}, 2.0, 0.5), Boundary::reflect);
  const auto zero = make_dense_blur(grid, test::tailed_psf({9, 9, 9}, 2.0), Boundary::zero);
  ASSERT_TRUE(even && skewed && zero);
  EXPECT_NE((*even)->description().find("mirrored"), std::string::npos);
  EXPECT_NE((*skewed)->description().find("padded"), std::string::npos);
  EXPECT_NE((*zero)->description().find("padded"), std::string::npos);
  EXPECT_LT((*even)->bytes(), (*zero)->bytes());
}

TEST(DenseBlur, SameBytesForAnyNumberOfThreads) {
  for (const double skew : {0.0, 0.5}) {
    const Stencil kernel = test::tailed_psf({9, 9, 9}, 2.0, skew);
    std::vector<std::vector<float>> rows;
    for (const int threads : {1, 2, 3}) {
      set_thread_count(threads);
      auto blur = make_dense_blur({12, 20, 30}, kernel, Boundary::reflect);
      ASSERT_TRUE(blur);
      put_all(**blur, picture({12, 20, 30}));
      ASSERT_TRUE((*blur)->run(false, {}));
      rows.emplace_back();
      for (std::int64_t z = 0; z < 12; ++z) {
        for (std::int64_t x = 0; x < 20; ++x) {
          const auto row = get(**blur, z, x);
          rows.back().insert(rows.back().end(), row.begin(), row.end());
        }
      }
    }
    set_thread_count(0);
    for (const auto& other : rows) {
      EXPECT_EQ(std::memcmp(other.data(), rows[0].data(), rows[0].size() * sizeof(float)), 0);
    }
  }
}

}  // namespace
}  // namespace aprscope
