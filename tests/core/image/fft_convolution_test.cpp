#include "core/image/fft_convolution.hpp"

#include <random>
#include <stop_token>

#include <gtest/gtest.h>

#include "core/base/system.hpp"

namespace aprscope {
namespace {

struct Kernel {
  Size3 size;
  std::vector<double> weights;
};

// Even in each dimension, or not at all.
Kernel kernel(const Size3& size, bool even) {
  Kernel k{size, {}};
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        const auto away = [even](std::int64_t i, std::int64_t n) {
          return static_cast<double>(even ? std::abs(i - n / 2) : i);
        };
        k.weights.push_back(1.0 / (1.0 + away(z, size.z) + 2.0 * away(x, size.x) +
                                   0.5 * away(z, size.z) * away(y, size.y)));
      }
    }
  }
  return k;
}

// n positions, then zeros, then the image backwards.
std::vector<std::int64_t> shown(std::int64_t n, std::int64_t padded, bool mirrored) {
  std::vector<std::int64_t> s(static_cast<std::size_t>(padded), -1);
  for (std::int64_t i = 0; i < n; ++i) s[static_cast<std::size_t>(i)] = i;
  for (std::int64_t i = 0; mirrored && i < std::min(n, padded - n); ++i) {
    s[static_cast<std::size_t>(padded - 1 - i)] = i;
  }
  return s;
}

std::vector<double> directly(const Size3& n, const std::vector<float>& image, const Padding& pad,
                             const Kernel& k, bool flip) {
  const Size3 p = pad.size();
  const auto at = [](const std::vector<std::int64_t>& s, std::int64_t i) {
    const auto length = static_cast<std::int64_t>(s.size());
    return s[static_cast<std::size_t>((i % length + length) % length)];
  };
  std::vector<double> out;
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      for (std::int64_t y = 0; y < n.y; ++y) {
        double sum = 0.0;
        std::size_t i = 0;
        for (std::int64_t a = -(k.size.z / 2); a <= k.size.z / 2; ++a) {
          for (std::int64_t b = -(k.size.x / 2); b <= k.size.x / 2; ++b) {
            for (std::int64_t c = -(k.size.y / 2); c <= k.size.y / 2; ++c) {
              const double w = k.weights[i++];
              const int s = flip ? 1 : -1;
              const std::int64_t from[] = {at(pad.z, z + s * a), at(pad.x, x + s * b),
                                           at(pad.y, y + s * c)};
              if (from[0] < 0 || from[1] < 0 || from[2] < 0) continue;
              sum +=
                  w *
                  static_cast<double>(
                      image[static_cast<std::size_t>((from[0] * n.x + from[1]) * n.y + from[2])]);
            }
          }
        }
        out.push_back(sum);
      }
    }
  }
  EXPECT_EQ(p.count(), static_cast<std::int64_t>(pad.z.size() * pad.x.size() * pad.y.size()));
  return out;
}

std::vector<float> noise(const Size3& n) {
  std::vector<float> image(static_cast<std::size_t>(n.count()));
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
  for (float& v : image) v = uniform(random);
  return image;
}

TEST(FftConvolution, IsTheCircularConvolutionOfWhatIsShown) {
  struct Case {
    Size3 image, padded, kernel;
  };
  for (const Case& c :
       {Case{{5, 6, 7}, {9, 8, 16}, {3, 5, 7}}, Case{{4, 17, 9}, {18, 20, 32}, {3, 3, 3}},
        // Larger than what it is wrapped around.
        Case{{3, 4, 6}, {4, 5, 8}, {7, 11, 9}}, Case{{1, 1, 11}, {1, 1, 15}, {1, 1, 5}},
        Case{{1, 6, 1}, {1, 11, 2}, {1, 5, 1}}}) {
    const std::vector<float> image = noise(c.image);
    for (const bool even : {false, true}) {
      const Kernel k = kernel(c.kernel, even);
      double total = 0.0;
      for (const double w : k.weights) total += w;
      for (const bool mirrored : {false, true}) {
        const Padding pad{shown(c.image.z, c.padded.z, mirrored),
                          shown(c.image.x, c.padded.x, mirrored),
                          shown(c.image.y, c.padded.y, mirrored)};
        const auto fft = FftConvolution::create(c.image, pad, k.size, k.weights).value();
        EXPECT_EQ(fft->padded(), c.padded);
        for (const bool flip : {false, true}) {
          const auto wanted = directly(c.image, image, pad, k, flip);
          std::vector<float> out = image;  // in place
          ASSERT_TRUE(fft->apply(out, flip, out, {}).ok());
          for (std::size_t i = 0; i < out.size(); ++i) {
            ASSERT_NEAR(out[i], wanted[i], 1e-6 * total) << even << mirrored << flip;
          }
        }
      }
    }
  }
}

TEST(FftConvolution, EvenKernelsTakeLittleMemory) {
  const Padding pad{shown(20, 40, true), shown(20, 40, true), shown(20, 64, true)};
  const Kernel even = kernel({5, 5, 5}, true);
  const Kernel skewed = kernel({5, 5, 5}, false);
  const auto a = FftConvolution::create({20, 20, 20}, pad, even.size, even.weights).value();
  const auto b = FftConvolution::create({20, 20, 20}, pad, skewed.size, skewed.weights).value();
  const std::uint64_t spectrum = std::uint64_t{40} * 40 * 33 * 8;
  EXPECT_LT(a->bytes() + spectrum * 4 / 5, b->bytes());
}

TEST(FftConvolution, SameBitsForAnyNumberOfThreadsAndStops) {
  const Size3 size{20, 18, 30};
  const Padding pad{shown(20, 40, true), shown(18, 32, true), shown(30, 64, true)};
  const Kernel k = kernel({5, 3, 7}, false);
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    const auto fft = FftConvolution::create(size, pad, k.size, k.weights).value();
    std::vector<float> out = noise(size);
    ASSERT_TRUE(fft->apply(out, false, out, {}).ok());
    results.push_back(out);
    std::stop_source source;
    source.request_stop();
    const Status stopped = fft->apply(out, false, out, JobContext(source.get_token()));
    EXPECT_TRUE(!stopped.ok() && stopped.error().cancelled());
  }
  set_thread_count(0);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace aprscope
