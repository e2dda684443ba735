// Grey values on walls, against sums pixel by pixel.
#include "core/cells/wall_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/image/random.hpp"

namespace aprscope {
namespace {

struct Value {
  double value = 0.0;
  std::int64_t at = 0;
};
using Key = std::pair<std::uint32_t, std::uint32_t>;

struct Image {
  Size3 size;
  std::vector<std::uint32_t> labels;
  Pixels<float> pixels;
};

// Labels 0 … 4 in blocks of a few pixels, grey values in whole steps so that many are alike.
Image image(const Size3& size, std::uint64_t seed) {
  Image out{size, {}, Pixels<float>(size)};
  const CounterRandom random(seed, 1);
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        const auto block = static_cast<std::uint64_t>((z / 2 * 97 + x / 3) * 89 + y / 4);
        out.labels.push_back(static_cast<std::uint32_t>(5.0 * random.uniform(block)));
        const auto i = static_cast<std::uint64_t>((z * size.x + x) * size.y + y);
        out.pixels.at(z, x, y) =
            static_cast<float>(std::floor(20.0 * random.uniform(100000 + i)) - 5.0);
      }
    }
  }
  return out;
}

void expect_same(const std::vector<WallStatistics>& found,
                 const std::map<Key, std::vector<Value>>& expected, bool dark) {
  ASSERT_EQ(found.size(), expected.size());
  std::size_t row = 0;
  for (const auto& [key, given] : expected) {
    SCOPED_TRACE(testing::Message() << key.first << " and " << key.second);
    std::vector<Value> values = given;
    // The weakest first, of these the first in memory.
    std::sort(values.begin(), values.end(), [&](const Value& a, const Value& b) {
      return a.value == b.value ? a.at < b.at : dark ? a.value > b.value : a.value < b.value;
    });
    const WallStatistics& one = found[row++];
    EXPECT_EQ(Key(one.a, one.b), key);
    EXPECT_EQ(one.values, static_cast<std::int64_t>(values.size()));
    EXPECT_EQ(one.weakest, values.front().value);
    double sum = 0.0;
    double squares = 0.0;
    std::vector<double> sorted;
    for (const Value& v : values) {
      sum += v.value;
      squares += v.value * v.value;
      sorted.push_back(v.value);
    }
    std::sort(sorted.begin(), sorted.end());
    const auto n = static_cast<double>(values.size());
    EXPECT_NEAR(one.mean, sum / n, 1e-9);
    EXPECT_NEAR(one.deviation, std::sqrt(std::max(0.0, squares / n - sum * sum / n / n)), 1e-6);
    EXPECT_EQ(one.median, sorted[(sorted.size() - 1) / 2]);
  }
}

// All walls, face by face.
struct Expected {
  std::map<Key, std::vector<Value>> of_objects;
  std::map<Key, std::vector<Value>> between;
  std::map<Key, std::int64_t> weakest_at;
};

Expected expected_of(const Image& in, bool dark) {
  Expected out;
  const Size3 n = in.size;
  const auto label = [&](std::int64_t i) { return in.labels[static_cast<std::size_t>(i)]; };
  const auto value = [&](std::int64_t i) {
    return static_cast<double>(in.pixels.values[static_cast<std::size_t>(i)]);
  };
  for (std::int64_t i = 0; i < n.count(); ++i) {
    const std::int64_t at[3] = {i / (n.x * n.y), i / n.y % n.x, i % n.y};
    const std::int64_t size[3] = {n.z, n.x, n.y};
    const std::int64_t step[3] = {n.x * n.y, n.y, 1};
    bool on_wall = false;
    for (std::size_t k = 0; k < 3; ++k) {
      if (at[k] > 0) on_wall = on_wall || label(i - step[k]) != label(i);
      if (at[k] + 1 == size[k]) continue;
      const std::int64_t j = i + step[k];
      if (label(i) == label(j)) continue;
      on_wall = true;
      if (label(i) == 0 || label(j) == 0) continue;
      const bool first = dark ? value(i) <= value(j) : value(i) >= value(j);
      out.between[std::minmax(label(i), label(j))].push_back(
          {first ? value(i) : value(j), first ? i : j});
    }
    if (on_wall && label(i) != 0) out.of_objects[{label(i), 0}].push_back({value(i), i});
  }
  return out;
}

TEST(WallStatistics, AreThoseOfAllPixelsAndFaces) {
  for (const Size3 size : {Size3{6, 14, 19}, Size3{1, 30, 31}}) {
    for (const bool dark : {false, true}) {
      const Image in = image(size, dark ? 3 : 4);
      const auto found = wall_statistics({size, in.labels, 4}, in.pixels, dark);
      ASSERT_TRUE(found.ok());
      const Expected expected = expected_of(in, dark);
      EXPECT_GE(expected.between.size(), 5U);
      expect_same(found->of_objects, expected.of_objects, dark);
      expect_same(found->between, expected.between, dark);
      for (const auto* walls : {&found->of_objects, &found->between}) {
        for (const WallStatistics& one : *walls) {
          const auto& all = walls == &found->between ? expected.between : expected.of_objects;
          std::int64_t first = size.count();
          for (const Value& v : all.at({one.a, one.b})) {
            if (v.value == one.weakest) first = std::min(first, v.at);
          }
          const Index3 p = one.weakest_at;
          EXPECT_EQ((p.z * size.x + p.x) * size.y + p.y, first);
        }
      }
    }
  }
}

TEST(WallStatistics, AreTheSameForAnyNumberOfThreads) {
  const Image in = image({8, 120, 150}, 9);
  const int before = thread_count();
  std::vector<WallTables> made;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    const auto found = wall_statistics({in.size, in.labels, 4}, in.pixels, false);
    ASSERT_TRUE(found.ok());
    made.push_back(*found);
  }
  set_thread_count(before);
  for (const WallTables& one : made) {
    EXPECT_EQ(one.of_objects, made.front().of_objects);
    EXPECT_EQ(one.between, made.front().between);
  }
}

TEST(WallStatistics, LeaveOutWhatIsNotFinite) {
  Pixels<float> pixels({1, 1, 4});
  pixels.values = {1.0F, std::numeric_limits<float>::quiet_NaN(), 3.0F, 4.0F};
  const std::vector<std::uint32_t> labels{1, 1, 2, 2};
  const auto found = wall_statistics({pixels.size, labels, 2}, pixels, false);
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found->between.empty());
  ASSERT_EQ(found->of_objects.size(), 1U);
  EXPECT_EQ(found->of_objects.front().a, 2U);
  EXPECT_EQ(found->of_objects.front().values, 1);
}

TEST(WallStatistics, OfOneObjectWithoutNeighboursAreNone) {
  Pixels<std::uint8_t> pixels({2, 3, 4}, 9);
  const std::vector<std::uint32_t> labels(24, 1);
  const auto found = wall_statistics({pixels.size, labels, 1}, pixels, false);
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found->of_objects.empty() && found->between.empty());
}

}  // namespace
}  // namespace aprscope
