// Sums of objects on particles against those of the pixels that they stand for.
#include "core/cells/particle_records.hpp"

#include <random>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/cells/label_records.hpp"
#include "tests/core/cells/particle_cases.hpp"
#include "tests/core/cells/pixel_flood.hpp"
#include "tests/support/sanitized.hpp"

namespace aprscope {
namespace {

std::vector<std::uint32_t> random_labels(std::uint64_t count, std::uint64_t seed,
                                         std::uint32_t largest) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> labels(count);
  for (auto& label : labels) label = static_cast<std::uint32_t>(random() % (largest + 1U));
  return labels;
}

template <class T>
std::vector<T> random_field(std::uint64_t count, std::uint64_t seed) {
  const auto values = test::random_values(count, seed, 0.0F, 255.0F);
  return {values.begin(), values.end()};
}

TEST(ParticleRecords, AreThoseOfThePixels) {
  std::uint64_t seed = 1;
  test::each_random_particles([&](const AprAccess& access, const std::vector<std::uint8_t>&) {
    for (const std::uint32_t largest : {1U, 6U}) {
      const auto labels = random_labels(access.count(), ++seed, largest);
      const FieldValues bytes = random_field<std::uint8_t>(access.count(), ++seed);
      const FieldValues words = random_field<std::uint16_t>(access.count(), ++seed);
      const FieldValues* const channels[] = {&bytes, &words};
      const auto found = particle_records(access, labels, largest, channels);
      ASSERT_TRUE(found.ok());

      const auto pixels = test::painted(access, labels);
      const AnyPixels byte_pixels =
          test::painted(access, std::get<std::vector<std::uint8_t>>(bytes));
      const AnyPixels word_pixels =
          test::painted(access, std::get<std::vector<std::uint16_t>>(words));
      const AnyPixels* const images[] = {&byte_pixels, &word_pixels};
      const auto expected = label_records({access.size(), pixels.values, largest}, images);
      ASSERT_TRUE(expected.ok());
      ASSERT_EQ(found->sums, expected->sums);
      ASSERT_EQ(found->contacts, expected->contacts);
      ASSERT_EQ(found->intensities, expected->intensities);
    }
  });
}

TEST(ParticleRecords, OfRealValuesAreThoseOfThePixelsUpToRounding) {
  const auto access = test::random_access({{19, 30, 37}, 3, 0.6, false});
  const auto labels = random_labels(access->count(), 4, 5);
  const FieldValues reals = test::random_values(access->count(), 9);
  const FieldValues* const channels[] = {&reals};
  const auto found = particle_records(*access, labels, 5, channels);
  ASSERT_TRUE(found.ok());
  const auto pixels = test::painted(*access, labels);
  const AnyPixels image = test::painted(*access, std::get<std::vector<float>>(reals));
  const AnyPixels* const images[] = {&image};
  const auto expected = label_records({access->size(), pixels.values, 5}, images);
  ASSERT_EQ(found->sums, expected->sums);
  for (std::size_t i = 0; i < expected->sums.size(); ++i) {
    const IntensitySums& a = found->intensities[0][i];
    const IntensitySums& b = expected->intensities[0][i];
    EXPECT_EQ(a.minimum, b.minimum);
    EXPECT_EQ(a.maximum, b.maximum);
    EXPECT_EQ(a.wall_voxels, b.wall_voxels);
    EXPECT_NEAR(a.real_sum, b.real_sum, 1e-12 * b.real_sum);
    EXPECT_NEAR(a.real_squares, b.real_squares, 1e-12 * b.real_squares);
    EXPECT_NEAR(a.real_wall_sum, b.real_wall_sum, 1e-12 * b.real_wall_sum);
  }
}

TEST(ParticleRecords, AreTheSameForAnyNumberOfThreads) {
  const auto access = test::random_access({{50, 60, 70}, 5, 0.7, true});
  const auto labels = random_labels(access->count(), 4, 40);
  const FieldValues reals = test::random_values(access->count(), 9);
  const FieldValues* const channels[] = {&reals};
  const int threads = thread_count();
  set_thread_count(1);
  const auto one = particle_records(*access, labels, 40, channels);
  set_thread_count(5);
  const auto five = particle_records(*access, labels, 40, channels);
  set_thread_count(threads);
  ASSERT_TRUE(one.ok() && five.ok());
  EXPECT_EQ(*one, *five);
}

// Labels in blocks of the image, so that most of them are elsewhere.
std::vector<std::uint32_t> block_labels(const AprAccess& access, std::int64_t side) {
  std::vector<std::uint32_t> labels(access.count());
  const auto map = test::particle_map(access);
  const Size3 n = access.size();
  const std::int64_t across = n.y / side + 1;
  for (std::int64_t i = 0; i < n.count(); ++i) {
    const std::int64_t block =
        (i / n.y / n.x / side * (n.x / side + 1) + i / n.y % n.x / side) * across + i % n.y / side;
    labels[map.index.values[static_cast<std::size_t>(i)]] =
        block % 5 == 4 ? 0 : static_cast<std::uint32_t>(block + 1);
  }
  return labels;
}

TEST(ParticleRecords, OfChangedLabelsAreUpdatedToTheSameBytes) {
  std::mt19937_64 random(11);
  int updates = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const Size3 n = seed == 3 ? Size3{1, 70, 90} : Size3{40, 37, 45};
    const auto access = test::random_access({n, seed, 0.65, seed % 2 == 0});
    std::vector<std::uint32_t> labels = block_labels(*access, 12);
    const std::uint32_t largest = 1000;
    const FieldValues words = random_field<std::uint16_t>(access->count(), seed);
    const FieldValues reals = test::random_values(access->count(), seed);
    const FieldValues* const channels[] = {&words, &reals};
    const auto map = test::particle_map(*access);
    auto known = particle_records(*access, labels, largest, channels);
    ASSERT_TRUE(known.ok());
    for (int i = 0; i < (test::kSanitized ? 12 : 40); ++i) {
      // What is in a box gets a label of its own, that of another place, or none.
      const auto from = [&](std::int64_t most) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
      };
      const Index3 at{from(n.z), from(n.x), from(n.y)};
      const std::uint32_t after = i % 3 == 0 ? 0
                                  : i % 3 == 1
                                      ? static_cast<std::uint32_t>(900 + i)
                                      : labels[map.index.at(from(n.z), from(n.x), from(n.y))];
      Region box{n, {0, 0, 0}};
      std::vector<std::uint32_t> changed;
      for (std::int64_t z = at.z; z < std::min(n.z, at.z + 5); ++z) {
        for (std::int64_t x = at.x; x < std::min(n.x, at.x + 5); ++x) {
          for (std::int64_t y = at.y; y < std::min(n.y, at.y + 5); ++y) {
            changed.push_back(labels[map.index.at(z, x, y)]);
          }
        }
      }
      const auto in_box = [&](std::int64_t z, std::int64_t x, std::int64_t y) {
        return z >= at.z && z < at.z + 5 && x >= at.x && x < at.x + 5 && y >= at.y && y < at.y + 5;
      };
      std::vector<bool> hit(access->count(), false);
      for (std::int64_t p = 0; p < n.count(); ++p) {
        if (in_box(p / n.y / n.x, p / n.y % n.x, p % n.y)) {
          hit[map.index.values[static_cast<std::size_t>(p)]] = true;
        }
      }
      for (std::int64_t p = 0; p < n.count(); ++p) {
        const Index3 q{p / n.y / n.x, p / n.y % n.x, p % n.y};
        const auto particle = map.index.values[static_cast<std::size_t>(p)];
        if (!hit[particle]) continue;
        labels[particle] = after;
        box.begin = {std::min(box.begin.z, q.z), std::min(box.begin.x, q.x),
                     std::min(box.begin.y, q.y)};
        box.end = {std::max(box.end.z, q.z + 1), std::max(box.end.x, q.x + 1),
                   std::max(box.end.y, q.y + 1)};
      }
      changed.push_back(after);
      updates += changed.size() < known->sums.size() ? 1 : 0;
      auto updated = updated_particle_records(*std::move(known), *access, labels, largest, channels,
                                              box, changed);
      const auto whole = particle_records(*access, labels, largest, channels);
      ASSERT_TRUE(updated.ok() && whole.ok());
      ASSERT_EQ(*updated, *whole) << seed << " " << i;
      known = std::move(updated);
    }
  }
  EXPECT_GT(updates, test::kSanitized ? 6 : 20);
}

TEST(ParticleRecords, OfMostLabelsAreUpdatedToTheSameBytes) {
  const auto access = test::random_access({{20, 20, 20}, 9, 0.7, true});
  auto labels = random_labels(access->count(), 4, 5);
  const auto known = particle_records(*access, labels, 9, {});
  ASSERT_TRUE(known.ok());
  for (auto& label : labels) label = label == 0 ? 0 : 10 - label;
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < 10; ++i) all.push_back(i);
  const auto updated =
      updated_particle_records(*known, *access, labels, 9, {}, whole(access->size()), all);
  ASSERT_TRUE(updated.ok());
  EXPECT_EQ(*updated, *particle_records(*access, labels, 9, {}));
}

TEST(ParticleRecords, SayWhatIsWrong) {
  const auto access = test::random_access({});
  EXPECT_FALSE(particle_records(*access, std::vector<std::uint32_t>(2), 0, {}).ok());
  const FieldValues few = std::vector<float>(3);
  const FieldValues* const channels[] = {&few};
  EXPECT_FALSE(
      particle_records(*access, std::vector<std::uint32_t>(access->count()), 0, channels).ok());
}

}  // namespace
}  // namespace aprscope
