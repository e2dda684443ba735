#include "core/filter/image_fft.hpp"

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/filter/pixel_filter.hpp"
#include "tests/core/filter/naive.hpp"

// Correlation by transforms against its definition.
namespace aprscope {
namespace {

Pixels<float> random_image(const Size3& size, std::uint64_t seed) {
  Pixels<float> image(size);
  image.values = test::random_values(image.values.size(), seed);
  return image;
}

struct Shape {
  Size3 size;
  Size3 stencil;
};

class ImageFft : public testing::TestWithParam<std::tuple<Shape, Boundary>> {};

TEST_P(ImageFft, EqualsBruteForce) {
  const auto& [shape, boundary] = GetParam();
  const Pixels<float> image = random_image(shape.size, 41);
  const Stencil stencil = test::counting_stencil(shape.stencil);
  Pixels<float> out(shape.size, -77.0F);
  ASSERT_TRUE(detail::correlate_by_fft(image, stencil, boundary, whole(shape.size), out, {}).ok());
  double largest = 0.0;
  for (const float v : image.values) largest = std::max(largest, std::abs(static_cast<double>(v)));
  for (std::int64_t z = 0; z < shape.size.z; ++z) {
    for (std::int64_t x = 0; x < shape.size.x; ++x) {
      for (std::int64_t y = 0; y < shape.size.y; ++y) {
        const auto near = test::neighbourhood(image, {z, x, y}, shape.stencil, boundary);
        double sum = 0.0;
        for (std::size_t k = 0; k < near.size(); ++k) sum += stencil.weights[k] * near[k];
        // The weights sum to 1.
        ASSERT_NEAR(out.at(z, x, y), sum, 2e-6 * largest) << z << ' ' << x << ' ' << y;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, ImageFft,
    testing::Combine(testing::Values(Shape{{9, 14, 21}, {3, 5, 7}}, Shape{{1, 30, 31}, {1, 9, 9}},
                                     Shape{{11, 1, 50}, {5, 1, 3}}, Shape{{2, 3, 5}, {9, 9, 9}},
                                     Shape{{3, 4, 700}, {3, 3, 41}},  // tiles along y
                                     Shape{{3, 300, 5}, {1, 7, 3}},   // … x
                                     Shape{{600, 2, 3}, {5, 3, 3}}),  // … z
                     testing::Values(Boundary::reflect, Boundary::zero)));

TEST(ImageFftRegion, HasTheBitsOfTheWholeForAnyThreads) {
  const Size3 size{6, 9, 600};
  const Pixels<float> image = random_image(size, 42);
  const Stencil stencil = test::counting_stencil({3, 3, 9});
  Pixels<float> full(size);
  set_thread_count(1);
  ASSERT_TRUE(
      detail::correlate_by_fft(image, stencil, Boundary::reflect, whole(size), full, {}).ok());
  set_thread_count(3);
  for (const Region& r : {whole(size), Region{{2, 3, 240}, {4, 9, 260}},
                          Region{{0, 0, 599}, {6, 1, 600}}, Region{{5, 0, 0}, {6, 9, 3}}}) {
    Pixels<float> part(size, -77.0F);
    ASSERT_TRUE(detail::correlate_by_fft(image, stencil, Boundary::reflect, r, part, {}).ok());
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t x = 0; x < size.x; ++x) {
        for (std::int64_t y = 0; y < size.y; ++y) {
          const bool inside = z >= r.begin.z && z < r.end.z && x >= r.begin.x && x < r.end.x &&
                              y >= r.begin.y && y < r.end.y;
          ASSERT_EQ(part.at(z, x, y), inside ? full.at(z, x, y) : -77.0F);
        }
      }
    }
  }
  set_thread_count(0);
}

TEST(ImageFftRegion, StopsWhenAsked) {
  const Pixels<float> image = random_image({8, 8, 8}, 43);
  Pixels<float> out(image.size);
  std::stop_source source;
  source.request_stop();
  const Status status =
      detail::correlate_by_fft(image, test::counting_stencil({3, 3, 3}), Boundary::zero,
                               whole(image.size), out, JobContext(source.get_token()));
  ASSERT_FALSE(status.ok());
  EXPECT_TRUE(status.error().cancelled());
}

TEST(ImageFftModel, TransformsLargeStencilsOnly) {
  const Size3 size{512, 512, 512};
  EXPECT_FALSE(detail::fft_pays(size, test::counting_stencil({5, 5, 5}), whole(size)));
  EXPECT_TRUE(detail::fft_pays(size, test::counting_stencil({13, 13, 13}), whole(size)));
  EXPECT_FALSE(
      detail::fft_pays(size, test::counting_stencil({13, 13, 13}), {{300, 0, 0}, {301, 512, 512}}));
}

// A symmetric stencil needs fewer products, so that transforms pay for larger ones only; one that
// separates never has them.
TEST(ImageFftModel, KnowsHowSumsAreMade) {
  const Size3 size{512, 512, 512};
  const auto symmetric = [](std::int64_t n) {
    Stencil s = gaussian_stencil({2, 2, 2}, {n, n, n});
    s.weights[s.weights.size() / 2] += 1.0;
    return s;
  };
  EXPECT_FALSE(detail::fft_pays(size, symmetric(13), whole(size)));
  EXPECT_TRUE(detail::fft_pays(size, symmetric(31), whole(size)));
  EXPECT_FALSE(detail::fft_pays(size, gaussian_stencil({5, 5, 5}, {31, 31, 31}), whole(size)));
}

// What convolve_pixels() chooses for itself.
TEST(ImageFftModel, BothWaysAgree) {
  const Size3 size{60, 61, 62};
  const Pixels<float> image = random_image(size, 44);
  const Stencil stencil = test::counting_stencil({21, 21, 21});
  ASSERT_TRUE(detail::fft_pays(size, stencil, whole(size)));
  Pixels<float> out(size);
  ASSERT_TRUE(convolve_pixels(image, stencil, Boundary::reflect, whole(size), out).ok());
  const Region plane{{30, 0, 0}, {31, 61, 62}};
  ASSERT_FALSE(detail::fft_pays(size, stencil, plane));
  Pixels<float> sums(size);
  ASSERT_TRUE(convolve_pixels(image, stencil, Boundary::reflect, plane, sums).ok());
  for (std::int64_t x = 0; x < size.x; ++x) {
    for (std::int64_t y = 0; y < size.y; ++y) {
      ASSERT_NEAR(out.at(30, x, y), sums.at(30, x, y), 3e-6 * 1000.0);
    }
  }
}

}  // namespace
}  // namespace aprscope
