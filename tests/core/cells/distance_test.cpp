// Distances against looking at every pair of pixels.
#include "core/cells/distance.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "core/base/system.hpp"

namespace aprscope {
namespace {

const VoxelSize kVoxels[] = {{1.0, 1.0, 1.0, "px"}, {4.0, 1.0, 1.0, "µm"}, {0.3, 0.15, 0.1, "µm"}};

double square_between(const Index3& a, const Index3& b, const VoxelSize& v) {
  const double z = v.z * static_cast<double>(a.z - b.z);
  const double x = v.x * static_cast<double>(a.x - b.x);
  const double y = v.y * static_cast<double>(a.y - b.y);
  return z * z + x * x + y * y;
}

template <class F>
void each_pixel(const Size3& n, const F& f) {
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      for (std::int64_t y = 0; y < n.y; ++y) f(Index3{z, x, y});
    }
  }
}

TEST(Distance, IsThatToTheNearestOfAllPixels) {
  std::mt19937_64 random(3);
  for (const Size3 size : {Size3{7, 9, 20}, Size3{1, 14, 19}, Size3{6, 1, 5}, Size3{1, 1, 9}}) {
    for (const VoxelSize& voxel : kVoxels) {
      for (const std::uint64_t one_of : {2U, 20U, 300U}) {
        Pixels<std::uint8_t> mask(size);
        for (auto& value : mask.values) value = random() % one_of == 0 ? 1 : 0;
        const auto found = squared_distances(mask.values, size, voxel);
        ASSERT_TRUE(found.ok());
        each_pixel(size, [&](const Index3& p) {
          double nearest = std::numeric_limits<double>::infinity();
          each_pixel(size, [&](const Index3& q) {
            if (mask.at(q.z, q.x, q.y) != 0) {
              nearest = std::min(nearest, square_between(p, q, voxel));
            }
          });
          const double got = found->data()[mask.index(p.z, p.x, p.y)];
          if (std::isinf(nearest) || voxel.unit == "px") {
            ASSERT_EQ(got, nearest);
          } else {
            ASSERT_NEAR(got, nearest, 1e-6 * nearest);
          }
        });
      }
    }
  }
}

TEST(Distance, AnyNumberOfThreadsGivesTheSameBytes) {
  std::mt19937_64 random(5);
  const Size3 size{20, 30, 40};
  Pixels<std::uint8_t> mask(size);
  for (auto& value : mask.values) value = random() % 200 == 0 ? 1 : 0;
  std::vector<float> first;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    const auto found = squared_distances(mask.values, size, kVoxels[2]);
    set_thread_count(0);
    ASSERT_TRUE(found.ok());
    const std::vector<float> values(found->data(), found->data() + size.count());
    if (first.empty()) first = values;
    EXPECT_EQ(values, first);
  }
}

TEST(SpreadLabels, GivesTheLabelOfANearestPixel) {
  std::mt19937_64 random(9);
  const Size3 size{6, 8, 17};
  for (const VoxelSize& voxel : kVoxels) {
    Pixels<std::uint8_t> wanted(size);
    std::vector<std::uint32_t> labels(wanted.values.size(), 0);
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (random() % 25 == 0) labels[i] = ++next;
      wanted.values[i] = labels[i] == 0 && random() % 3 != 0 ? 1 : 0;
    }
    auto spread = labels;
    ASSERT_TRUE(spread_labels(spread, wanted.values, size, voxel).ok());
    each_pixel(size, [&](const Index3& p) {
      const std::size_t at = wanted.index(p.z, p.x, p.y);
      if (wanted.values[at] == 0) {
        ASSERT_EQ(spread[at], labels[at]);
        return;
      }
      double nearest = std::numeric_limits<double>::infinity();
      double of_label = nearest;
      each_pixel(size, [&](const Index3& q) {
        const std::uint32_t label = labels[wanted.index(q.z, q.x, q.y)];
        if (label == 0) return;
        const double far = square_between(p, q, voxel);
        nearest = std::min(nearest, far);
        if (label == spread[at]) of_label = std::min(of_label, far);
      });
      ASSERT_NEAR(of_label, nearest, 1e-6 * nearest);
    });
  }
}

}  // namespace
}  // namespace aprscope
