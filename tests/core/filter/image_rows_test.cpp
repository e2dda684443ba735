#include <gtest/gtest.h>

#include "core/filter/pixel_filter.hpp"
#include "tests/core/filter/naive.hpp"

// Filters read the rows of an image where they lie, and copy them near its edges or where they
// would get in each other's way: shapes for each of these, against brute force.
namespace aprscope {
namespace {

struct Shape {
  Size3 size;
  Size3 stencil;
};

Pixels<float> random_image(const Size3& size, std::uint64_t seed) {
  Pixels<float> image(size);
  image.values = test::random_values(image.values.size(), seed);
  return image;
}

double brute_force(const Pixels<float>& image, const Index3& p, const Stencil& stencil,
                   Boundary boundary) {
  const auto near = test::neighbourhood(image, p, stencil.size, boundary);
  double sum = 0.0;
  for (std::size_t k = 0; k < near.size(); ++k) sum += stencil.weights[k] * near[k];
  return sum;
}

class ImageRows : public testing::TestWithParam<std::tuple<Shape, Boundary>> {};

TEST_P(ImageRows, EqualBruteForce) {
  const auto& [shape, boundary] = GetParam();
  const Pixels<float> image = random_image(shape.size, 31);
  const Stencil stencil = test::counting_stencil(shape.stencil);
  Pixels<float> out(shape.size);
  ASSERT_TRUE(convolve_pixels(image, stencil, boundary, whole(shape.size), out).ok());
  for (std::int64_t z = 0; z < shape.size.z; ++z) {
    for (std::int64_t x = 0; x < shape.size.x; ++x) {
      for (std::int64_t y = 0; y < shape.size.y; ++y) {
        ASSERT_NEAR(out.at(z, x, y), brute_force(image, {z, x, y}, stencil, boundary), 2e-3)
            << z << ' ' << x << ' ' << y;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, ImageRows,
    testing::Combine(testing::Values(Shape{{5, 9, 64}, {3, 3, 3}},     // whole lines
                                     Shape{{4, 70, 51}, {3, 3, 3}},    // odd rows, several slabs
                                     Shape{{7, 8, 256}, {7, 7, 7}},    // rows that are copied
                                     Shape{{7, 8, 250}, {7, 7, 7}},    // rows that are not
                                     Shape{{6, 5, 48}, {3, 5, 33}},    // no run inside
                                     Shape{{6, 3, 80}, {3, 5, 3}},     // no row inside
                                     Shape{{2, 11, 40}, {7, 3, 3}},    // fewer planes than weights
                                     Shape{{1, 20, 100}, {1, 3, 5}},   // one plane
                                     Shape{{20, 1, 100}, {3, 1, 5}}),  // one row a plane
                     testing::Values(Boundary::reflect, Boundary::zero)));

TEST(ImagePasses, EqualBruteForce) {
  const Stencil stencil = gaussian_stencil({1.5, 2.5, 4}, {7, 11, 19});
  // Rows of several slabs, of a block or hardly more, and of less than that.
  for (const Size3& size :
       {Size3{9, 21, 90}, Size3{5, 40, 64}, Size3{13, 3, 33}, Size3{3, 4, 1100}, Size3{4, 9, 16},
        Size3{5, 6, 17}, Size3{6, 7, 15}, Size3{3, 8, 2}, Size3{2, 1, 1}}) {
    const Pixels<float> image = random_image(size, 32);
    for (const Boundary boundary : {Boundary::reflect, Boundary::zero}) {
      Pixels<float> out(size);
      ASSERT_TRUE(convolve_pixels(image, stencil, boundary, whole(size), out).ok());
      for (std::int64_t z = 0; z < size.z; ++z) {
        for (std::int64_t x = 0; x < size.x; x += 3) {
          for (std::int64_t y = 0; y < size.y; y += 2) {
            ASSERT_NEAR(out.at(z, x, y), brute_force(image, {z, x, y}, stencil, boundary), 2e-3)
                << z << ' ' << x << ' ' << y;
          }
        }
      }
    }
  }
}

TEST(ImagePasses, RegionsAgreeWithTheWholeBitForBit) {
  const Stencil stencil = gaussian_stencil({1.5, 2.5, 4}, {7, 11, 19});
  const Size3 size{9, 21, 1100};
  const Pixels<float> image = random_image(size, 34);
  Pixels<float> all(size);
  ASSERT_TRUE(convolve_pixels(image, stencil, Boundary::reflect, whole(size), all).ok());
  for (const Region& region :
       {Region{{4, 0, 0}, {5, 21, 1100}}, Region{{0, 7, 0}, {9, 8, 1100}},
        Region{{0, 0, 1023}, {9, 21, 1024}}, Region{{2, 3, 1010}, {7, 20, 1099}}}) {
    Pixels<float> part(size, -77.0F);
    ASSERT_TRUE(convolve_pixels(image, stencil, Boundary::reflect, region, part).ok());
    const auto within = [](std::int64_t i, std::int64_t begin, std::int64_t end) {
      return i >= begin && i < end;
    };
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t x = 0; x < size.x; ++x) {
        for (std::int64_t y = 0; y < size.y; ++y) {
          const bool wanted = within(z, region.begin.z, region.end.z) &&
                              within(x, region.begin.x, region.end.x) &&
                              within(y, region.begin.y, region.end.y);
          // What lies beside it stays as it was.
          ASSERT_EQ(part.at(z, x, y), wanted ? all.at(z, x, y) : -77.0F)
              << z << ' ' << x << ' ' << y;
        }
      }
    }
  }
}

// Results beyond 64 MB are written past the caches, in whole lines and what is left beside them.
TEST(ImageRows, LargeResultsAreWrittenWhole) {
  const Size3 size{130, 260, 512};
  const Pixels<float> image = random_image(size, 33);
  for (const Stencil& stencil : {test::counting_stencil({3, 3, 3}), gaussian_stencil({1, 1, 1})}) {
    Pixels<float> out(size, -77.0F);
    ASSERT_TRUE(convolve_pixels(image, stencil, Boundary::reflect, whole(size), out).ok());
    for (std::int64_t z = 0; z < size.z; z += 43) {
      for (std::int64_t x = 0; x < size.x; x += 37) {
        for (std::int64_t y = 0; y < size.y; ++y) {
          ASSERT_NEAR(out.at(z, x, y), brute_force(image, {z, x, y}, stencil, Boundary::reflect),
                      2e-3)
              << z << ' ' << x << ' ' << y;
        }
      }
    }
    for (const float v : out.values) ASSERT_NE(v, -77.0F);
  }
}

}  // namespace
}  // namespace aprscope
