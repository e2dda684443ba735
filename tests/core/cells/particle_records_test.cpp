// Sums of objects on particles against those of the pixels that they stand for.
#include "core/cells/particle_records.hpp"

#include <random>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/cells/label_records.hpp"
#include "tests/core/cells/particle_cases.hpp"
#include "tests/core/cells/pixel_flood.hpp"

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
