#include "core/image/cosine_convolution.hpp"

#include <cmath>
#include <random>
#include <stop_token>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

std::int64_t mirrored(std::int64_t i, std::int64_t n) {
  while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
  return i;
}

std::vector<double> even_kernel(const Size3& n) {
  std::vector<double> weights;
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      for (std::int64_t y = 0; y < n.y; ++y) {
        const auto away = [](std::int64_t i, std::int64_t length) {
          return static_cast<double>(std::abs(i - length / 2));
        };
        weights.push_back(1.0 / (1.0 + away(z, n.z) + 0.5 * away(x, n.x) * away(y, n.y)));
      }
    }
  }
  return weights;
}

TEST(CosineConvolution, IsTheConvolutionMirroredAboutTheFaces) {
  struct Case {
    Size3 image, kernel;
  };
  // Blocks of columns that are full and that are not, odd and thin sizes, one that FFTW has no code
  // for, kernels whose cosines are summed as they are needed and such that are kept.
  for (const Case& c :
       {Case{{6, 5, 7}, {3, 5, 3}}, Case{{1, 20, 32}, {1, 3, 9}}, Case{{9, 1, 18}, {5, 1, 41}},
        Case{{3, 4, 1}, {3, 9, 1}}, Case{{1, 1, 2}, {1, 1, 3}}, Case{{23, 3, 34}, {3, 3, 35}}}) {
    const Size3& n = c.image;
    const std::vector<double> kernel = even_kernel(c.kernel);
    double total = 0.0;
    for (const double w : kernel) total += w;
    std::vector<float> image(static_cast<std::size_t>(n.count()));
    std::mt19937 random(3);
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    for (float& v : image) v = uniform(random);
    const auto convolution = CosineConvolution::create(n, c.kernel, kernel).value();
    std::vector<float> out(image.size());
    ASSERT_TRUE(convolution->apply(image, out, {}).ok());
    std::size_t at = 0;
    for (std::int64_t z = 0; z < n.z; ++z) {
      for (std::int64_t x = 0; x < n.x; ++x) {
        for (std::int64_t y = 0; y < n.y; ++y) {
          double sum = 0.0;
          std::size_t i = 0;
          for (std::int64_t dz = -(c.kernel.z / 2); dz <= c.kernel.z / 2; ++dz) {
            for (std::int64_t dx = -(c.kernel.x / 2); dx <= c.kernel.x / 2; ++dx) {
              for (std::int64_t dy = -(c.kernel.y / 2); dy <= c.kernel.y / 2; ++dy) {
                const std::int64_t row = mirrored(z + dz, n.z) * n.x + mirrored(x + dx, n.x);
                sum += kernel[i++] *
                       static_cast<double>(
                           image[static_cast<std::size_t>(row * n.y + mirrored(y + dy, n.y))]);
              }
            }
          }
          ASSERT_NEAR(out[at++], sum, 1e-6 * total);
        }
      }
    }
  }
}

TEST(CosineConvolution, KnowsWhichSizesAreFastAndStops) {
  EXPECT_TRUE(CosineConvolution::is_fast({128, 256, 512}));
  EXPECT_TRUE(CosineConvolution::is_fast({1, 300, 2 * 280}));
  EXPECT_FALSE(CosineConvolution::is_fast({254, 256, 256}));
  EXPECT_FALSE(CosineConvolution::is_fast({256, 256, 1022}));
  const auto convolution =
      CosineConvolution::create({4, 4, 4}, {3, 3, 3}, even_kernel({3, 3, 3})).value();
  std::stop_source source;
  source.request_stop();
  std::vector<float> values(64);
  const Status stopped = convolution->apply(values, values, JobContext(source.get_token()));
  EXPECT_TRUE(!stopped.ok() && stopped.error().cancelled());
}

}  // namespace
}  // namespace aprscope
