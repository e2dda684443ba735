#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/filter/pixel_filter.hpp"
#include "tests/core/filter/naive.hpp"

// What a preview relies on, for the filters that are no plain convolution: a region agrees with the
// whole bit for bit, touches nothing else, and the number of threads does not matter.
namespace aprscope {
namespace {

using test::Sample;

constexpr float untouched = -77.0F;

std::vector<Region> planes_and_boxes(const Size3& n) {
  return {{{5, 0, 0}, {6, n.x, n.y}},     {{0, 9, 0}, {n.z, 10, n.y}},
          {{0, 0, 130}, {n.z, n.x, 131}}, {{2, 3, 100}, {9, 14, 150}},
          {{0, 0, 0}, {1, 1, 1}},         {{n.z - 1, n.x - 1, n.y - 1}, {n.z, n.x, n.y}}};
}

std::vector<bool> touched(const AprAccess& access, const Region& region) {
  const test::ParticleMap map = test::particle_map(access);
  std::vector<bool> inside(access.count(), false);
  for (std::int64_t z = region.begin.z; z < region.end.z; ++z)
    for (std::int64_t x = region.begin.x; x < region.end.x; ++x)
      for (std::int64_t y = region.begin.y; y < region.end.y; ++y) {
        inside[map.index.at(z, x, y)] = true;
      }
  return inside;
}

// A filter on particles and the same one on pixels.
struct Filter {
  std::string name;
  std::function<Status(const Sample&, const Region&, std::vector<float>&)> particles;
  std::function<Status(const Pixels<float>&, const Region&, Pixels<float>&)> pixels;
};

std::vector<Stencil> derivatives() {
  return {sobel_stencil(Axis::z), central_difference_stencil(Axis::x), sobel_stencil(Axis::y)};
}

std::vector<Filter> all_filters() {
  std::vector<Filter> filters;
  for (const auto& [name, statistic] : std::vector<std::pair<std::string, LocalStatistic>>{
           {"mean", LocalStatistic::mean},
           {"standard deviation", LocalStatistic::standard_deviation},
           {"median", LocalStatistic::median},
           {"min", LocalStatistic::min},
           {"max", LocalStatistic::max}}) {
    const Size3 size{3, 5, 7};
    const LocalStatistic which = statistic;
    filters.push_back(
        {name,
         [=](const Sample& s, const Region& region, std::vector<float>& out) {
           return local_statistic(s.input(), which, size, Boundary::reflect, region, out);
         },
         [=](const Pixels<float>& image, const Region& region, Pixels<float>& out) {
           return local_statistic_pixels(image, which, size, Boundary::reflect, region, out);
         }});
  }
  filters.push_back(
      {"gradient",
       [](const Sample& s, const Region& region, std::vector<float>& out) {
         std::vector<StencilPyramid> components;
         for (const Stencil& d : derivatives()) {
           components.push_back(
               StencilPyramid::create(d, StencilMode::rescaled, false, s.access->level_max())
                   .value());
         }
         return gradient_magnitude(s.input(), components, Boundary::reflect, region, out);
       },
       [](const Pixels<float>& image, const Region& region, Pixels<float>& out) {
         return gradient_magnitude_pixels(image, derivatives(), Boundary::reflect, region, out);
       }});
  return filters;
}

TEST(FilterRegion, ParticlesAgreeWithTheWholeAndTheRestIsUntouched) {
  const Sample s(test::random_access({{13, 18, 270}, 41, 0.6, false}));
  for (const Filter& filter : all_filters()) {
    SCOPED_TRACE(filter.name);
    std::vector<float> full(s.access->count());
    ASSERT_TRUE(filter.particles(s, s.all(), full).ok());
    for (const Region& region : planes_and_boxes(s.access->size())) {
      std::vector<float> part(full.size(), untouched);
      ASSERT_TRUE(filter.particles(s, region, part).ok());
      const std::vector<bool> inside = touched(*s.access, region);
      for (std::size_t i = 0; i < part.size(); ++i) {
        ASSERT_EQ(part[i], inside[i] ? full[i] : untouched) << i;
      }
    }
  }
}

TEST(FilterRegion, PixelsAgreeWithTheWholeAndTheRestIsUntouched) {
  Pixels<float> image({13, 18, 540});
  image.values = test::random_values(image.values.size(), 3);
  for (const Filter& filter : all_filters()) {
    SCOPED_TRACE(filter.name);
    Pixels<float> full(image.size);
    ASSERT_TRUE(filter.pixels(image, whole(image.size), full).ok());
    for (const Region& r : planes_and_boxes(image.size)) {
      Pixels<float> part(image.size, untouched);
      ASSERT_TRUE(filter.pixels(image, r, part).ok());
      for (std::int64_t z = 0; z < image.size.z; ++z)
        for (std::int64_t x = 0; x < image.size.x; ++x)
          for (std::int64_t y = 0; y < image.size.y; ++y) {
            const bool inside = z >= r.begin.z && z < r.end.z && x >= r.begin.x && x < r.end.x &&
                                y >= r.begin.y && y < r.end.y;
            ASSERT_EQ(part.at(z, x, y), inside ? full.at(z, x, y) : untouched);
          }
    }
  }
}

TEST(FilterRegion, AnEmptyRegionWritesNothing) {
  const Sample s(test::random_access({{8, 8, 8}, 1, 0.6, true}));
  for (const Filter& filter : all_filters()) {
    std::vector<float> out(s.access->count(), untouched);
    ASSERT_TRUE(filter.particles(s, {{3, 3, 3}, {3, 3, 3}}, out).ok());
    for (const float v : out) ASSERT_EQ(v, untouched) << filter.name;
  }
}

TEST(FilterThreads, SameBytesForAnyNumber) {
  const Sample s(test::random_access({{25, 33, 70}, 43, 0.6, true}));
  Pixels<float> image({19, 25, 70});
  image.values = test::random_values(image.values.size(), 4);
  for (const Filter& filter : all_filters()) {
    SCOPED_TRACE(filter.name);
    std::vector<std::vector<float>> particles;
    std::vector<std::vector<float>> pixels;
    for (const int threads : {1, 2, 7}) {
      set_thread_count(threads);
      particles.emplace_back(s.access->count());
      ASSERT_TRUE(filter.particles(s, s.all(), particles.back()).ok());
      Pixels<float> out(image.size);
      ASSERT_TRUE(filter.pixels(image, whole(image.size), out).ok());
      pixels.push_back(out.values);
    }
    set_thread_count(0);
    EXPECT_TRUE(particles[0] == particles[1] && particles[0] == particles[2]);
    EXPECT_TRUE(pixels[0] == pixels[1] && pixels[0] == pixels[2]);
  }
}

}  // namespace
}  // namespace aprscope
