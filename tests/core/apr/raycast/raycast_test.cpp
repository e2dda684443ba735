#include "core/apr/raycast/raycast.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <stop_token>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/raycast/translucency.hpp"
#include "core/base/system.hpp"
#include "tests/core/apr/ray_march.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

using test::camera_ray;
using test::Vector;
using test::WorldRay;

// The maximum along a ray by brute force. NaN when the ray misses.
float march(const Pixels<float>& image, const VoxelSize& voxel, const WorldRay& ray,
            const std::optional<Region>& only) {
  float best = std::numeric_limits<float>::quiet_NaN();
  for (const test::RayPiece& piece : test::pieces_along(image.size, voxel, ray, only)) {
    const float v = image.at(piece.pixel.z, piece.pixel.x, piece.pixel.y);
    if (!(best >= v)) best = v;
  }
  return best;
}

// Compares a rendered image with march(). A ray that grazes an edge may fall on either side of it:
// it must lie in the range that rays moved by 1e-6 (of the size of the volume's pixels) span.
void expect_marched(const RayImage& rendered, const Pixels<float>& image, const VoxelSize& voxel,
                    const RayCamera& camera) {
  const double move = 1e-6 * std::min({voxel.z, voxel.x, voxel.y});
  int grazing = 0;
  int hits = 0;
  for (int row = 0; row < rendered.height; ++row) {
    for (int col = 0; col < rendered.width; ++col) {
      const float got = rendered.values[static_cast<std::size_t>(row * rendered.width + col)];
      const WorldRay ray = camera_ray(camera, rendered.width, rendered.height, row, col);
      const float want = march(image, voxel, ray, camera.only);
      hits += std::isnan(want) ? 0 : 1;
      if (got == want || (std::isnan(got) && std::isnan(want))) continue;
      ++grazing;
      float low = want;
      float high = want;
      bool may_miss = std::isnan(want);
      for (int k = 0; k < 8; ++k) {
        WorldRay moved = ray;
        const double angle = k * std::numbers::pi / 4.0;
        for (std::size_t a = 0; a < 3; ++a) {
          moved.from[a] +=
              move * (std::cos(angle) * camera.right[a] + std::sin(angle) * camera.up[a]);
        }
        const float v = march(image, voxel, moved, camera.only);
        may_miss = may_miss || std::isnan(v);
        if (!std::isnan(v)) {
          low = std::isnan(low) ? v : std::min(low, v);
          high = std::isnan(high) ? v : std::max(high, v);
        }
      }
      if (std::isnan(got)) {
        ASSERT_TRUE(may_miss) << "row " << row << " col " << col << " wants " << want;
      } else {
        ASSERT_GE(got, low) << "row " << row << " col " << col;
        ASSERT_LE(got, high) << "row " << row << " col " << col;
      }
    }
  }
  EXPECT_GT(hits, 0);
  // Grazing rays are rare; more of them would mean something else is wrong.
  EXPECT_LE(grazing, rendered.width * rendered.height / 100);
}

struct Case {
  Size3 size;
  VoxelSize voxel;
  double split;
  bool balanced;
};

class Raycast : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const Case& c = GetParam();
    access_ = test::random_access({c.size, 31, c.split, c.balanced});
    values_ = test::random_values(access_->count(), 32, -200.0F, 1000.0F);
    image_ = test::naive_reconstruct(*access_, values_);
    auto caster = MipRaycaster::build(access_, values_, c.voxel);
    ASSERT_TRUE(caster.ok()) << caster.error().message();
    caster_ = *caster;
  }

  // The same of the pixels that the particles reconstruct to.
  [[nodiscard]] Result<std::shared_ptr<const MipRaycaster>> of_pixels() const {
    auto volume = std::make_shared<Volume>();
    volume->pixels = image_;
    volume->voxel = GetParam().voxel;
    return MipRaycaster::build(std::shared_ptr<const Volume>(volume));
  }

  std::shared_ptr<const AprAccess> access_;
  std::vector<float> values_;
  Pixels<float> image_;
  std::shared_ptr<const MipRaycaster> caster_;
};

constexpr int kFinest = 100;  // finer than any level: no limit

// Along each axis, both ways, a ray through each pixel's centre: exactly the maximum projection.
TEST_P(Raycast, AlongTheAxesIsExactlyTheMaximumProjection) {
  const Size3 size = access_->size();
  const VoxelSize& voxel = GetParam().voxel;
  const Vector step{voxel.y, voxel.x, voxel.z};
  const std::array<std::int64_t, 3> n{size.y, size.x, size.z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t a = (axis + 1) % 3;  // columns; needs square pixels, so the step of a
    const std::size_t b = (axis + 2) % 3;  // rows
    for (const double sign : {1.0, -1.0}) {
      RayCamera camera;
      camera.forward = {};
      camera.right = {};
      camera.up = {};
      camera.forward[axis] = sign;
      camera.right[a] = 1.0;
      camera.up[b] = -1.0;
      // A row of the picture at a time: picture pixels are square, those of the image may not be.
      for (std::int64_t r = 0; r < n[b]; ++r) {
        camera.eye[axis] = sign > 0 ? -3.0 : static_cast<double>(n[axis]) * step[axis] + 3.0;
        camera.eye[a] = 0.5 * static_cast<double>(n[a]) * step[a];
        camera.eye[b] = (static_cast<double>(r) + 0.5) * step[b];
        camera.height_world = step[a];
        const auto got = caster_->render(camera, static_cast<int>(n[a]), 1, kFinest);
        ASSERT_TRUE(got.ok());
        for (std::int64_t c = 0; c < n[a]; ++c) {
          float want = -std::numeric_limits<float>::infinity();
          for (std::int64_t k = 0; k < n[axis]; ++k) {
            std::array<std::int64_t, 3> p{};
            p[axis] = k;
            p[a] = c;
            p[b] = r;
            want = std::max(want, image_.at(p[2], p[1], p[0]));
          }
          ASSERT_EQ(got->values[static_cast<std::size_t>(c)], want)
              << "axis " << axis << " row " << r << " col " << c;
        }
      }
    }
  }
}

TEST_P(Raycast, ObliqueEqualsTheBruteForceMarch) {
  const Size3 size = access_->size();
  const VoxelSize& voxel = GetParam().voxel;
  const std::pair<double, double> views[] = {{0.0, 0.0},    {30.0, 20.0},  {123.0, -41.0},
                                             {-77.7, 63.0}, {200.0, 10.0}, {45.0, 35.264},
                                             {90.0, 0.0},   {10.0, 90.0},  {251.0, -88.0}};
  for (const bool perspective : {false, true}) {
    for (const auto& [azimuth, elevation] : views) {
      SCOPED_TRACE(testing::Message() << azimuth << ", " << elevation << ", " << perspective);
      RayCamera camera = orbit_camera(size, voxel, azimuth, elevation, 1.1);
      camera.perspective = perspective;
      const auto got = caster_->render(camera, 42, 36, kFinest);
      ASSERT_TRUE(got.ok());
      ASSERT_NO_FATAL_FAILURE(expect_marched(*got, image_, voxel, camera));
    }
  }
}

TEST_P(Raycast, WithABoxAllElseIsTransparent) {
  const Size3 n = access_->size();
  const VoxelSize& voxel = GetParam().voxel;
  const auto pixels = of_pixels();
  ASSERT_TRUE(pixels.ok());
  const Region boxes[] = {{{n.z / 3, n.x / 4, n.y / 3}, {n.z, n.x / 2 + 2, n.y}},
                          {{0, 0, n.y / 2}, {n.z, n.x, n.y}},
                          // What is not in the volume does not count.
                          {{-5, n.x / 3, -7}, {n.z + 9, n.x / 3 + 8, n.y / 2 + 1}}};
  const std::pair<double, double> views[] = {{0.0, 0.0}, {30.0, 20.0}, {200.0, 10.0}, {90.0, 0.0}};
  for (const Region& box : boxes) {
    for (const bool perspective : {false, true}) {
      for (const auto& [azimuth, elevation] : views) {
        SCOPED_TRACE(testing::Message() << azimuth << ", " << elevation << ", " << perspective);
        RayCamera camera = orbit_camera(n, voxel, azimuth, elevation, 1.1);
        camera.perspective = perspective;
        camera.only = box;
        const auto got = caster_->render(camera, 42, 36, kFinest);
        ASSERT_TRUE(got.ok());
        ASSERT_NO_FATAL_FAILURE(expect_marched(*got, image_, voxel, camera));
        const auto same = (*pixels)->render(camera, 42, 36, kFinest);
        ASSERT_TRUE(same.ok());
        ASSERT_NO_FATAL_FAILURE(expect_marched(*same, image_, voxel, camera));
      }
    }
  }
  // A box without pixels shows nothing.
  RayCamera camera = orbit_camera(n, voxel, 30.0, 20.0, 1.0);
  camera.only = Region{{2, 2, 2}, {2, 5, 5}};
  const auto nothing = caster_->render(camera, 20, 20, kFinest);
  ASSERT_TRUE(nothing.ok());
  EXPECT_TRUE(std::all_of(nothing->values.begin(), nothing->values.end(),
                          [](float v) { return std::isnan(v); }));
}

TEST_P(Raycast, FromInsideLooksForwardOnly) {
  const Size3 size = access_->size();
  const VoxelSize& voxel = GetParam().voxel;
  RayCamera camera = orbit_camera(size, voxel, 37.0, 21.0, 0.3);
  camera.perspective = true;
  camera.eye = {0.4 * static_cast<double>(size.y) * voxel.y,
                0.6 * static_cast<double>(size.x) * voxel.x,
                0.45 * static_cast<double>(size.z) * voxel.z};
  const auto got = caster_->render(camera, 42, 36, kFinest);
  ASSERT_TRUE(got.ok());
  expect_marched(*got, image_, voxel, camera);
}

// A limited level shows each interior cell of that level as its maximum.
TEST_P(Raycast, LimitedLevelShowsMaximaOfCells) {
  const Size3 size = access_->size();
  const VoxelSize& voxel = GetParam().voxel;
  const auto tree = test::naive_tree(*access_, values_, Reduction::max);
  const RayCamera camera = orbit_camera(size, voxel, 33.0, 27.0, 1.0);
  const auto exact = caster_->render(camera, 30, 30, kFinest);
  ASSERT_TRUE(exact.ok());
  for (int l = 1; l <= access_->level_max(); ++l) {
    const auto got = caster_->render(camera, 30, 30, l);
    ASSERT_TRUE(got.ok());
    const auto grid = test::naive_at_level(*access_, values_, tree, l);
    const int shift = access_->level_max() - l;
    Pixels<float> coarse(size);
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t x = 0; x < size.x; ++x) {
        for (std::int64_t y = 0; y < size.y; ++y) {
          coarse.at(z, x, y) = grid.at(z >> shift, x >> shift, y >> shift);
        }
      }
    }
    ASSERT_NO_FATAL_FAILURE(expect_marched(*got, coarse, voxel, camera)) << "level " << l;
    for (std::size_t i = 0; i < got->values.size(); ++i) {
      ASSERT_EQ(std::isnan(got->values[i]), std::isnan(exact->values[i]));
      if (std::isnan(exact->values[i])) continue;
      ASSERT_GE(got->values[i], exact->values[i]);
    }
  }
}

// A pixel image is shown exactly as the APR that reconstructs to it.
TEST_P(Raycast, PixelImageEqualsTheBruteForceMarch) {
  const Size3 size = access_->size();
  const auto check = [&](auto sample, float scale, float offset) {
    using T = decltype(sample);
    auto volume = std::make_shared<Volume>();
    Pixels<T> pixels(size);
    Pixels<float> reference(size);
    for (std::size_t i = 0; i < pixels.values.size(); ++i) {
      pixels.values[i] = static_cast<T>(image_.values[i] * scale + offset);
      reference.values[i] = static_cast<float>(pixels.values[i]);
    }
    volume->pixels = std::move(pixels);
    volume->voxel = GetParam().voxel;
    const auto caster = MipRaycaster::build(volume);
    ASSERT_TRUE(caster.ok());
    EXPECT_EQ((*caster)->level_max(), access_->level_max());
    for (const bool perspective : {false, true}) {
      RayCamera camera = orbit_camera(size, volume->voxel, 70.0, -33.0, 1.2);
      camera.perspective = perspective;
      const auto got = (*caster)->render(camera, 33, 40, kFinest);
      ASSERT_TRUE(got.ok());
      ASSERT_NO_FATAL_FAILURE(expect_marched(*got, reference, volume->voxel, camera));
      for (int l = 1; l < access_->level_max(); ++l) {
        const auto limited = (*caster)->render(camera, 33, 40, l);
        ASSERT_TRUE(limited.ok());
        for (std::size_t i = 0; i < got->values.size(); ++i) {
          if (std::isnan(got->values[i])) continue;
          ASSERT_GE(limited->values[i], got->values[i]);
        }
      }
    }
  };
  check(std::uint8_t{}, 0.2F, 45.0F);
  check(std::uint16_t{}, 50.0F, 10100.0F);
  check(float{}, 1.0F, 0.0F);
}

// Emission and absorption along a ray by brute force, pixel by pixel to the end: the value that is
// drawn as this bright. NaN when the ray misses.
double glow(const Pixels<float>& image, const VoxelSize& voxel, const WorldRay& ray,
            const Translucency& matter, const std::optional<Region>& only) {
  const auto pieces = test::pieces_along(image.size, voxel, ray, only);
  if (pieces.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double along = std::hypot(ray.along[0], ray.along[1], ray.along[2]);
  const auto& [low, high, gamma] = matter.contrast;
  double brightness = 0.0;
  double through = 1.0;
  for (const test::RayPiece& piece : pieces) {
    const double v = image.at(piece.pixel.z, piece.pixel.x, piece.pixel.y);
    const double t = std::clamp((v - low) / (high - low), 0.0, 1.0);
    const double above = std::max(t - 1.0 / 32.0, 0.0) / (1.0 - 1.0 / 32.0);
    const double left =
        std::exp(-std::pow(above, gamma) * along * (piece.end - piece.begin) / matter.depth);
    brightness += through * (1.0 - left) * t;
    through *= left;
  }
  return low + brightness * (high - low);
}

TEST_P(Raycast, TranslucentMatterEqualsTheBruteForceMarch) {
  const Size3 size = access_->size();
  const VoxelSize& voxel = GetParam().voxel;
  const auto pixels = of_pixels();
  ASSERT_TRUE(pixels.ok());
  const double side = mean_side(size, voxel);
  const Translucency matters[] = {{{0.0, 900.0, 1.0}, 0.05 * side},
                                  {{-100.0, 600.0, 0.6}, 0.4 * side},
                                  {{200.0, 1000.0, 1.7}, 3.0 * side}};
  const std::pair<double, double> views[] = {{0.0, 0.0}, {30.0, 20.0}, {200.0, -50.0}, {90.0, 0.0}};
  constexpr int kWidth = 38;
  constexpr int kHeight = 30;
  for (const Translucency& matter : matters) {
    for (const bool perspective : {false, true}) {
      for (const auto& [azimuth, elevation] : views) {
        SCOPED_TRACE(testing::Message() << azimuth << ", " << elevation << ", " << perspective);
        RayCamera camera = orbit_camera(size, voxel, azimuth, elevation, 1.1);
        camera.perspective = perspective;
        if (azimuth == 200.0) camera.only = Region{{0, size.x / 3, 0}, {size.z, size.x, size.y}};
        const auto got = caster_->translucent(camera, kWidth, kHeight, matter);
        const auto same = (*pixels)->translucent(camera, kWidth, kHeight, matter);
        ASSERT_TRUE(got.ok() && same.ok());
        // What is behind where rays end, and rounding.
        const double bound = 1.2 * (matter.contrast.high - matter.contrast.low) / 512.0;
        int grazing = 0;
        int hits = 0;
        for (std::size_t i = 0; i < got->values.size(); ++i) {
          const int row = static_cast<int>(i) / kWidth;
          const int col = static_cast<int>(i) % kWidth;
          const WorldRay ray = camera_ray(camera, kWidth, kHeight, row, col);
          const double want = glow(image_, voxel, ray, matter, camera.only);
          hits += std::isnan(want) ? 0 : 1;
          for (const float value : {got->values[i], same->values[i]}) {
            const bool alike = std::isnan(want)
                                   ? std::isnan(value)
                                   : std::abs(static_cast<double>(value) - want) <= bound;
            grazing += alike ? 0 : 1;
          }
        }
        EXPECT_GT(hits, 0);
        // Rays along planes between pixels may see either side.
        EXPECT_LE(grazing, 2 * kWidth * kHeight / 100);
      }
    }
  }
}

TEST_P(Raycast, SameBytesForAnyThreadCount) {
  const RayCamera camera = orbit_camera(access_->size(), GetParam().voxel, 33.0, 27.0, 1.0);
  set_thread_count(1);
  const auto one = caster_->render(camera, 70, 50, kFinest);
  const Translucency matter{{0.0, 900.0, 0.8}, 4.0};
  const auto glow_one = caster_->translucent(camera, 70, 50, matter);
  set_thread_count(5);
  const auto five = caster_->render(camera, 70, 50, kFinest);
  const auto glow_five = caster_->translucent(camera, 70, 50, matter);
  set_thread_count(0);
  ASSERT_TRUE(one.ok() && five.ok() && glow_one.ok() && glow_five.ok());
  const auto same = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (std::size_t i = 0; i < one->values.size(); ++i) {
    ASSERT_TRUE(same(one->values[i], five->values[i]));
    ASSERT_TRUE(same(glow_one->values[i], glow_five->values[i]));
  }
}

const VoxelSize kCube{1.0, 1.0, 1.0, "px"};
const VoxelSize kTall{2.5, 0.5, 0.75, "µm"};

INSTANTIATE_TEST_SUITE_P(
    Sizes, Raycast,
    testing::Values(Case{{16, 16, 16}, kCube, 0.6, true}, Case{{13, 9, 21}, kTall, 0.7, false},
                    Case{{33, 18, 20}, kTall, 0.6, true}, Case{{1, 17, 23}, kTall, 0.7, true},
                    Case{{1, 1, 19}, kCube, 0.7, true}, Case{{9, 8, 7}, kCube, 1.0, true},
                    Case{{16, 16, 16}, kCube, 0.0, true}, Case{{1, 1, 1}, kTall, 0.5, true}));

// Two layers behind each other, each of one value: closed forms.
TEST(MipRaycaster, MatterInFrontCoversWhatLiesBehind) {
  Pixels<float> pixels({8, 5, 5}, 10.0F);
  for (std::size_t i = 0; i < pixels.values.size() / 2; ++i) pixels.values[i] = 60.0F;  // z < 4
  for (std::size_t i = pixels.values.size() / 2; i < pixels.values.size(); ++i) {
    pixels.values[i] = 110.0F;
  }
  auto volume = std::make_shared<Volume>();
  volume->pixels = std::move(pixels);
  volume->voxel = {0.5, 1.0, 1.0, "µm"};
  const Size3 size = volume->size();
  const auto caster = MipRaycaster::build(std::shared_ptr<const Volume>(volume));
  ASSERT_TRUE(caster.ok());
  const auto middle = [&](double azimuth, const Translucency& matter) {
    const RayCamera camera = orbit_camera(size, {0.5, 1.0, 1.0, "µm"}, azimuth, 0.0, 1.0);
    const auto got = (*caster)->translucent(camera, 9, 9, matter);
    return got.ok() ? got->values[40] : std::numeric_limits<float>::quiet_NaN();
  };
  // Along z: 2 µm of half brightness, then 2 µm of full brightness; from behind the other way.
  const Translucency matter{{10.0, 110.0, 1.0}, 4.0};
  const double half = std::exp(-0.5 * (0.5 - 1.0 / 32.0) / (31.0 / 32.0));
  const double full = std::exp(-0.5);
  EXPECT_NEAR(middle(0.0, matter), 10.0 + 100.0 * (0.5 * (1.0 - half) + half * (1.0 - full)), 1e-4);
  EXPECT_NEAR(middle(180.0, matter), 10.0 + 100.0 * (1.0 - full + full * 0.5 * (1.0 - half)), 1e-4);
  // Opaque: only the surface is seen.
  EXPECT_NEAR(middle(0.0, {{10.0, 110.0, 1.0}, 1e-9}), 60.0, 1e-4);
  EXPECT_NEAR(middle(180.0, {{10.0, 110.0, 1.0}, 0.0}), 110.0, 1e-4);
  // What the contrast draws black is not there, nor what it draws nearly black.
  EXPECT_NEAR(middle(0.0, {{59.0, 110.0, 1.0}, 1e-9}), 110.0, 1e-4);
  EXPECT_NEAR(middle(0.0, {{60.0, 110.0, 1.0}, 1e-9}), 110.0, 1e-4);
  EXPECT_EQ(middle(0.0, {{110.0, 200.0, 1.0}, 1.0}), 110.0F);
  EXPECT_GT(middle(0.0, {{60.0, 60.0, 1.0}, 1e-9}), 60.0F);
  EXPECT_EQ(middle(0.0, {{110.0, 110.0, 1.0}, 1e-9}), 110.0F);
  // Contrasts as wide as floats go.
  EXPECT_TRUE(std::isfinite(middle(0.0, {{-3e38, 3e38, 1.0}, 1.0})));
}

TEST(MipRaycaster, MatterWithoutNumbersIsTransparent) {
  const auto access = test::random_access({.size = {8, 8, 8}});
  std::vector<float> values(access->count(), std::numeric_limits<float>::quiet_NaN());
  const auto caster = MipRaycaster::build(access, values, kCube);
  ASSERT_TRUE(caster.ok());
  const RayCamera camera = orbit_camera(access->size(), kCube, 0.0, 0.0, 1.0);
  const auto got = (*caster)->translucent(camera, 9, 9, {{5.0, 9.0, 1.0}, 2.0});
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->values[40], 5.0F);
}

TEST(MipRaycaster, BeyondTheVolumeIsNaN) {
  const auto access = test::random_access({.size = {8, 8, 8}});
  const auto values = test::random_values(access->count(), 1);
  const auto caster = MipRaycaster::build(access, values, kCube);
  ASSERT_TRUE(caster.ok());
  RayCamera camera = orbit_camera(access->size(), kCube, 0.0, 0.0, 1.0);
  camera.height_world = 24.0;
  const auto got = (*caster)->render(camera, 24, 24, kFinest);
  ASSERT_TRUE(got.ok());
  for (int row = 0; row < 24; ++row) {
    for (int col = 0; col < 24; ++col) {
      const bool inside = row >= 8 && row < 16 && col >= 8 && col < 16;
      EXPECT_EQ(std::isnan(got->values[static_cast<std::size_t>(row * 24 + col)]), !inside);
    }
  }
  // Behind a perspective eye there is nothing.
  camera.perspective = true;
  camera.forward[2] = -1.0;
  const auto away = (*caster)->render(camera, 24, 24, kFinest);
  ASSERT_TRUE(away.ok());
  for (const float v : away->values) EXPECT_TRUE(std::isnan(v));
}

TEST(MipRaycaster, ValuesThatAreNotNumbersAreSkipped) {
  const auto access = test::full_access({4, 4, 4});
  std::vector<float> values(64, std::numeric_limits<float>::quiet_NaN());
  values[21] = -7.0F;  // z 1, x 1, y 1
  const auto caster = MipRaycaster::build(access, values, kCube);
  ASSERT_TRUE(caster.ok());
  RayCamera camera = orbit_camera(access->size(), kCube, 0.0, 0.0, 1.0);
  camera.height_world = 4.0;
  const auto got = (*caster)->render(camera, 4, 4, kFinest);
  ASSERT_TRUE(got.ok());
  for (std::size_t i = 0; i < 16; ++i) {
    if (i == 5) {
      EXPECT_EQ(got->values[i], -7.0F);
    } else {
      EXPECT_TRUE(std::isnan(got->values[i]));
    }
  }
}

TEST(MipRaycaster, StopsWhenAsked) {
  const auto access = test::random_access({.size = {16, 16, 16}});
  const auto values = test::random_values(access->count(), 1);
  std::stop_source source;
  source.request_stop();
  const JobContext stopped(source.get_token());
  const auto build = MipRaycaster::build(access, values, kCube, stopped);
  ASSERT_FALSE(build.ok());
  EXPECT_TRUE(build.error().cancelled());
  const auto caster = MipRaycaster::build(access, values, kCube);
  ASSERT_TRUE(caster.ok());
  const RayCamera camera = orbit_camera(access->size(), kCube, 0.0, 0.0, 1.0);
  const auto image = (*caster)->render(camera, 64, 64, kFinest, stopped);
  ASSERT_FALSE(image.ok());
  EXPECT_TRUE(image.error().cancelled());
  auto volume = std::make_shared<Volume>();
  volume->pixels = Pixels<std::uint8_t>({64, 64, 64});
  const auto pixels = MipRaycaster::build(volume, stopped);
  ASSERT_FALSE(pixels.ok());
  EXPECT_TRUE(pixels.error().cancelled());
}

TEST(MipRaycaster, RefusesWhatDoesNotFit) {
  const auto access = test::random_access({.size = {16, 16, 16}});
  const std::vector<float> wrong(access->count() + 1);
  EXPECT_FALSE(MipRaycaster::build(access, wrong, kCube).ok());
  EXPECT_FALSE(MipRaycaster::build(std::make_shared<Volume>()).ok());
  const auto values = test::random_values(access->count(), 1);
  const auto caster = MipRaycaster::build(access, values, kCube);
  ASSERT_TRUE(caster.ok());
  const RayCamera camera;
  EXPECT_FALSE((*caster)->render(camera, 0, 10, kFinest).ok());
  EXPECT_FALSE((*caster)->render(camera, 10, -1, kFinest).ok());
  EXPECT_FALSE((*caster)->render(camera, 1 << 20, 10, kFinest).ok());
}

// By hand: a cube of 512 pixels seen orthographically, 512 world units tall in so many rows.
TEST(LevelOfRays, CellsAreNoLargerThanTheDistanceOfRays) {
  const Size3 size{512, 512, 512};
  RayCamera camera;
  camera.height_world = 512.0;
  const std::pair<int, int> levels[] = {{1024, 9}, {512, 9}, {257, 9}, {256, 8}, {129, 8},
                                        {128, 7},  {2, 1},   {1, 1},   {0, 1}};
  for (const auto& [rows, level] : levels) {
    EXPECT_EQ(level_of_rays(camera, size, kCube, rows, 9), level) << rows;
  }
  // Eight times as large a voxel, in one direction: the side of a cube as large is twice as long.
  EXPECT_EQ(level_of_rays(camera, size, {8.0, 1.0, 1.0, "µm"}, 128, 9), 8);
  EXPECT_EQ(level_of_rays(camera, size, {0.5, 0.5, 0.5, "µm"}, 256, 9), 7);
  // In perspective that is so at the middle: 512 away, at an angle that sees 512 of height there.
  camera.perspective = true;
  camera.eye = {256.0, 256.0, -256.0};
  camera.view_angle_degrees = 2.0 * std::atan(0.5) * 180.0 / std::numbers::pi;
  EXPECT_EQ(level_of_rays(camera, size, kCube, 257, 9), 9);
  EXPECT_EQ(level_of_rays(camera, size, kCube, 255, 9), 8);
}

// Rays 11 pixels apart, and a single bright pixel: through the finest level they pass it by.
TEST(LevelOfRays, SmallThingsAreMostlyMet) {
  const Size3 size{128, 128, 128};
  const RayCamera camera = orbit_camera(size, kCube, 31.0, 17.0, 1.0);
  int met = 0;
  int met_at_the_finest = 0;
  for (int i = 0; i < 20; ++i) {
    auto volume = std::make_shared<Volume>();
    Pixels<std::uint8_t> pixels(size);
    pixels.at((i * 37 + 5) % 128, (i * 53 + 7) % 128, (i * 71 + 11) % 128) = 200;
    volume->pixels = std::move(pixels);
    const auto caster = MipRaycaster::build(volume);
    ASSERT_TRUE(caster.ok());
    const auto brightest = [&](int level) {
      const auto image = (*caster)->render(camera, 20, 20, level);
      float best = 0.0F;
      for (const float v : image->values) best = std::isnan(v) ? best : std::max(best, v);
      return best;
    };
    if (brightest(level_of_rays(camera, size, kCube, 20, 7)) == 200.0F) ++met;
    if (brightest(7) == 200.0F) ++met_at_the_finest;
  }
  EXPECT_GT(met, 10);
  EXPECT_LT(met_at_the_finest, 3);
}

}  // namespace
}  // namespace aprscope
