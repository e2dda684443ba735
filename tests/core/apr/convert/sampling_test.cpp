#include "core/apr/convert/sampling.hpp"

#include <cmath>
#include <cstdint>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/convert/conversion.hpp"
#include "core/apr/convert/gradient_scale.hpp"
#include "tests/core/apr/conversion_fixtures.hpp"
#include "tests/core/apr/naive_conversion.hpp"

namespace aprscope {
namespace {

// An access with particles on several levels.
std::shared_ptr<const AprAccess> adaptive_access(const Volume& volume) {
  ConversionParameters p;
  p.rel_error = 0.4F;
  const auto scale = compute_gradient_scale(volume, p);
  EXPECT_TRUE(scale);
  const auto access = build_access(*scale, p);
  EXPECT_TRUE(access);
  return *access;
}

// Mean of each cell by the definition: mean of the children's means, each existing child alike.
std::vector<double> exact_means(const Volume& volume, const AprAccess& access) {
  std::vector<test::Grid> pyramid(static_cast<std::size_t>(access.level_max()) + 1);
  pyramid.back() = test::to_grid(volume);
  for (std::size_t l = pyramid.size() - 1; l > 1; --l) {
    pyramid[l - 1] = test::block_mean(pyramid[l]);
  }
  std::vector<double> out(access.count());
  const LinearAccess& particles = access.particles();
  for (int l = 1; l <= access.level_max(); ++l) {
    for (std::int64_t z = 0; z < particles.grid(l).z; ++z) {
      for (std::int64_t x = 0; x < particles.grid(l).x; ++x) {
        const ParticleRange row = particles.row(l, z, x);
        for (std::uint64_t i = row.begin; i < row.end; ++i) {
          out[i] = pyramid[static_cast<std::size_t>(l)].at(z, x, particles.y()[i]);
        }
      }
    }
  }
  return out;
}

template <class T>
void expect_nearest(const Volume& volume) {
  const auto access = adaptive_access(volume);
  ASSERT_LT(access->level_min_used(), access->level_max());
  const auto values = sample_particles(volume, *access);
  ASSERT_TRUE(values) << values.error().message();
  const auto& found = std::get<std::vector<T>>(*values);
  const std::vector<double> exact = exact_means(volume, *access);
  ASSERT_EQ(found.size(), exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(found[i]), exact[i], 0.51) << i;
  }
}

TEST(SampleParticles, IntegersAreTheNearestToTheMean) {
  for (const Size3& size : {Size3{20, 23, 37}, Size3{1, 45, 50}, Size3{1, 1, 131}}) {
    expect_nearest<std::uint16_t>(test::blobs<std::uint16_t>(size, 100.0, 3000.0));
    expect_nearest<std::uint16_t>(test::blobs<std::uint16_t>(size, 0.0, 65535.0));
    expect_nearest<std::uint8_t>(test::blobs<std::uint8_t>(size, 0.0, 255.0));
  }
}

TEST(SampleParticles, FloatsAreTheMean) {
  const Volume volume = test::blobs<float>({19, 23, 37}, -5.0, 5.0);
  const auto access = adaptive_access(volume);
  const auto values = sample_particles(volume, *access);
  ASSERT_TRUE(values);
  const auto& found = std::get<std::vector<float>>(*values);
  const std::vector<double> exact = exact_means(volume, *access);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(found[i]), exact[i], 1e-5);
  }
}

TEST(SampleParticles, SaturatedImageStaysSaturated) {
  const Volume structure = test::blobs<std::uint16_t>({20, 21, 22}, 0.0, 1000.0);
  const auto access = adaptive_access(structure);
  for (const auto rounding : {SamplingRounding::nearest, SamplingRounding::truncate_each_level}) {
    const auto values = sample_particles(test::constant_volume<std::uint16_t>({20, 21, 22}, 65535),
                                         *access, {}, rounding);
    ASSERT_TRUE(values);
    for (const std::uint16_t v : std::get<std::vector<std::uint16_t>>(*values)) {
      ASSERT_EQ(v, 65535);
    }
  }
}

TEST(SampleParticles, TruncationLosesUpToOneGreyValueALevel) {
  const Volume volume = test::blobs<std::uint16_t>({32, 32, 32}, 100.0, 3000.0);
  const auto access = adaptive_access(volume);
  const auto values = sample_particles(volume, *access, {}, SamplingRounding::truncate_each_level);
  ASSERT_TRUE(values);
  const auto& found = std::get<std::vector<std::uint16_t>>(*values);
  const std::vector<double> exact = exact_means(volume, *access);
  double lost = 0.0;
  for (int l = access->level_min_used(); l <= access->level_max(); ++l) {
    const ParticleRange range = access->particles().level(l);
    for (std::uint64_t i = range.begin; i < range.end; ++i) {
      const double loss = exact[i] - static_cast<double>(found[i]);
      ASSERT_GE(loss, -1e-3);
      ASSERT_LT(loss, access->level_max() - l + 1e-3);
      lost = std::max(lost, loss);
    }
  }
  EXPECT_GT(lost, 1.0);
}

TEST(SampleParticles, RefusesAnImageOfAnotherSize) {
  const Volume volume = test::blobs<std::uint16_t>({20, 21, 22}, 0.0, 1000.0);
  const auto access = adaptive_access(volume);
  EXPECT_FALSE(sample_particles(test::blobs<std::uint16_t>({20, 21, 23}, 0.0, 10.0), *access));
}

TEST(SampleParticles, SameForAnyNumberOfThreadsAndCancels) {
  const Volume volume = test::blobs<std::uint16_t>({40, 61, 67}, 0.0, 1000.0);
  const auto access = adaptive_access(volume);
  const test::Threads one(1);
  const auto expected = sample_particles(volume, *access);
  ASSERT_TRUE(expected);
  for (const int n : {2, 7}) {
    const test::Threads threads(n);
    const auto found = sample_particles(volume, *access);
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, *expected);
  }
  test::Progress progress;
  progress.stop();
  const auto stopped = sample_particles(volume, *access, progress.context());
  ASSERT_FALSE(stopped);
  EXPECT_TRUE(stopped.error().cancelled());
}

}  // namespace
}  // namespace aprscope
