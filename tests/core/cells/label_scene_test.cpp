#include "core/cells/label_scene.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/system.hpp"
#include "core/cells/carried_labels.hpp"
#include "core/cells/label_colours.hpp"
#include "core/cells/label_picture.hpp"
#include "tests/core/apr/ray_march.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

const VoxelSize kVoxel{2.0, 0.5, 0.75, "µm"};
constexpr int kWidth = 61;
constexpr int kHeight = 47;

// Balls of several labels, some of them cut by the border, 0 between them.
Labels balls(const Size3& n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Labels labels;
  labels.values.assign(static_cast<std::size_t>(n.count()), 0);
  labels.largest = 9;
  for (std::uint32_t label = 1; label <= labels.largest; ++label) {
    const auto at = [&](std::int64_t side) {
      return static_cast<double>(random() % static_cast<std::uint64_t>(side));
    };
    const double c[3] = {at(n.z), at(n.x), at(n.y)};
    const double r = 2.0 + static_cast<double>(random() % 4);
    for (std::int64_t i = 0; i < n.count(); ++i) {
      const auto apart = [&](std::int64_t p, std::size_t a) {
        return (static_cast<double>(p) - c[a]) * (static_cast<double>(p) - c[a]);
      };
      if (apart(i / (n.x * n.y), 0) + apart(i / n.y % n.x, 1) + apart(i % n.y, 2) <= r * r) {
        labels.values[static_cast<std::size_t>(i)] = label;
      }
    }
  }
  return labels;
}

std::vector<RayCamera> cameras(const Size3& n) {
  std::vector<RayCamera> all;
  for (const double azimuth : {0.0, 33.0, 140.0}) {
    all.push_back(orbit_camera(n, kVoxel, azimuth, 21.0, 1.1));
    all.push_back(all.back());
    all.back().perspective = true;
  }
  return all;
}

// The label that a ray meets first of those that `wanted` takes; 0: none.
template <class Wanted>
std::uint32_t first_label(const Labels& labels, const Size3& n, const RayCamera& camera, int row,
                          int col, const Wanted& wanted) {
  const test::WorldRay ray = test::camera_ray(camera, kWidth, kHeight, row, col);
  for (const test::RayPiece& piece : test::pieces_along(n, kVoxel, ray)) {
    const Index3& p = piece.pixel;
    const std::uint32_t label =
        labels.values[static_cast<std::size_t>((p.z * n.x + p.x) * n.y + p.y)];
    if (label != 0 && wanted(label)) return label;
  }
  return 0;
}

// All rays but a few that graze an edge meet what they meet by brute force.
template <class Wanted>
void expect_first(const LabelLayer& layer, const Labels& labels, const Size3& n,
                  const RayCamera& camera, const Wanted& wanted) {
  int wrong = 0;
  int met = 0;
  for (int row = 0; row < kHeight; ++row) {
    for (int col = 0; col < kWidth; ++col) {
      const auto i = static_cast<std::size_t>(row * kWidth + col);
      const std::uint32_t want = first_label(labels, n, camera, row, col, wanted);
      met += want != 0 ? 1 : 0;
      if (layer.labels[i] != want) ++wrong;
      ASSERT_EQ(layer.labels[i] == 0, std::isnan(layer.values.values[i]));
      if (layer.labels[i] == 0) continue;
      EXPECT_GE(layer.values.values[i], 0.0F);
      EXPECT_LE(layer.values.values[i], 1.0F);
    }
  }
  EXPECT_GT(met, 30);
  EXPECT_LE(wrong, kWidth * kHeight / 200);
}

std::set<std::uint32_t> at_border(const Labels& labels, const Size3& n) {
  std::set<std::uint32_t> out;
  for (std::int64_t i = 0; i < n.count(); ++i) {
    const std::int64_t z = i / (n.x * n.y);
    const std::int64_t x = i / n.y % n.x;
    const std::int64_t y = i % n.y;
    if (z == 0 || x == 0 || y == 0 || z == n.z - 1 || x == n.x - 1 || y == n.y - 1) {
      out.insert(labels.values[static_cast<std::size_t>(i)]);
    }
  }
  return out;
}

TEST(LabelScene, RaysMeetTheFirstLabelOfPixels) {
  const Size3 n{17, 30, 23};
  const auto labels = std::make_shared<const Labels>(balls(n, 1));
  const auto scene = LabelScene::build(labels, n, kVoxel, {});
  ASSERT_TRUE(scene.ok());
  for (const RayCamera& camera : cameras(n)) {
    const auto picture = (*scene)->render(camera, kWidth, kHeight);
    ASSERT_TRUE(picture.ok());
    EXPECT_FALSE(picture->chosen.has_value());
    expect_first(picture->all, *labels, n, camera, [](std::uint32_t) { return true; });
    for (std::size_t i = 0; i < picture->all.labels.size(); ++i) {
      if (picture->all.labels[i] == 0) continue;
      EXPECT_EQ(labels->values[static_cast<std::size_t>(picture->all.pixels[i])],
                picture->all.labels[i]);
    }
  }
}

TEST(LabelScene, ParticlesShowWhatTheirPixelsShow) {
  const Size3 n{19, 26, 31};
  const auto access = test::random_access({n, 7, 0.7, true});
  Labels of_particles;
  of_particles.largest = 5;
  std::mt19937_64 random(3);
  for (std::uint64_t i = 0; i < access->count(); ++i) {
    of_particles.values.push_back(random() % 3 == 0 ? 1 + random() % 5 : 0);
  }
  const auto pixels = pixel_labels(*access, of_particles);
  ASSERT_TRUE(pixels.ok());
  const auto scene =
      LabelScene::build(std::make_shared<const Labels>(of_particles), access, kVoxel, {});
  ASSERT_TRUE(scene.ok());
  for (const RayCamera& camera : cameras(n)) {
    const auto picture = (*scene)->render(camera, kWidth, kHeight);
    ASSERT_TRUE(picture.ok());
    expect_first(picture->all, *pixels, n, camera, [](std::uint32_t) { return true; });
  }
}

TEST(LabelScene, LabelsAtTheBorderAreLeftOut) {
  const Size3 n{17, 30, 23};
  const auto labels = std::make_shared<const Labels>(balls(n, 4));
  const std::set<std::uint32_t> cut = at_border(*labels, n);
  LabelSceneLook look;
  look.whole_only = true;
  const auto scene = LabelScene::build(labels, n, kVoxel, look);
  ASSERT_TRUE(scene.ok());
  for (const RayCamera& camera : cameras(n)) {
    const auto picture = (*scene)->render(camera, kWidth, kHeight);
    ASSERT_TRUE(picture.ok());
    expect_first(picture->all, *labels, n, camera,
                 [&](std::uint32_t label) { return cut.count(label) == 0; });
  }
  // Particles of which each is a pixel leave out the same.
  const auto access = test::full_access(n);
  const auto of_particles = particle_labels(*access, *labels);
  ASSERT_TRUE(of_particles.ok());
  const auto same =
      LabelScene::build(std::make_shared<const Labels>(*of_particles), access, kVoxel, look);
  ASSERT_TRUE(same.ok());
  const RayCamera camera = cameras(n).front();
  EXPECT_EQ((*same)->render(camera, kWidth, kHeight)->all.labels,
            (*scene)->render(camera, kWidth, kHeight)->all.labels);
}

TEST(LabelScene, ChosenLabelsAreSeenThroughOthersAndPicked) {
  const Size3 n{17, 30, 23};
  const auto labels = std::make_shared<const Labels>(balls(n, 1));
  LabelSceneLook look;
  look.chosen = {2, 7};
  const auto scene = LabelScene::build(labels, n, kVoxel, look);
  ASSERT_TRUE(scene.ok());
  LabelColours colours;
  colours.palette.assign(label_palette().begin(), label_palette().end());
  bool behind = false;
  for (const RayCamera& camera : cameras(n)) {
    const auto picture = (*scene)->render(camera, kWidth, kHeight);
    ASSERT_TRUE(picture.ok() && picture->chosen.has_value());
    expect_first(picture->all, *labels, n, camera, [](std::uint32_t) { return true; });
    const auto is_chosen = [](std::uint32_t label) { return label == 2 || label == 7; };
    expect_first(*picture->chosen, *labels, n, camera, is_chosen);
    const auto rgba = label_picture_colors(*picture, colours, look.chosen, {}, {0, 0, 0, 255});
    ASSERT_EQ(rgba.size(), 4U * kWidth * kHeight);
    for (std::size_t i = 0; i < picture->all.labels.size(); ++i) {
      const std::uint32_t seen = picture->chosen->labels[i];
      behind = behind || (seen != 0 && picture->all.labels[i] != seen);
      EXPECT_EQ(picked(*picture, i).label, seen != 0 ? seen : picture->all.labels[i]);
      const int light = rgba[4 * i] + rgba[4 * i + 1] + rgba[4 * i + 2];
      if (picture->all.labels[i] == 0) {
        EXPECT_EQ(light, 0);
      }
      // Glass is darker than anything that is chosen could be in full light.
      if (seen == 0) {
        EXPECT_LE(light, 0.23 * 3 * 255);
      }
    }
  }
  EXPECT_TRUE(behind);
}

TEST(LabelScene, AProjectionHasTheColourOfItsBrightestVoxel) {
  const Size3 n{17, 30, 23};
  const auto labels = std::make_shared<const Labels>(balls(n, 1));
  // Every value once, so that the brightest pixel is one.
  Pixels<float> values(n);
  std::vector<float> order(values.values.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<float>(i + 1);
  std::mt19937_64 random(5);
  std::shuffle(order.begin(), order.end(), random);
  values.values = order;
  auto volume = std::make_shared<Volume>();
  volume->pixels = values;
  volume->voxel = kVoxel;
  const auto mip = MipRaycaster::build(volume);
  ASSERT_TRUE(mip.ok());
  LabelSceneLook look;
  look.style = LabelStyle::coloured;
  const auto scene = LabelScene::build(labels, n, kVoxel, look, *mip);
  ASSERT_TRUE(scene.ok());
  const RayCamera camera = cameras(n)[3];
  const auto picture = (*scene)->render(camera, kWidth, kHeight);
  ASSERT_TRUE(picture.ok());
  const auto plain = (*mip)->render(camera, kWidth, kHeight, (*mip)->level_max());
  ASSERT_TRUE(plain.ok());
  LabelColours colours;
  colours.palette.assign(label_palette().begin(), label_palette().end());
  const Contrast contrast{0.0, static_cast<double>(order.size()), 1.0};
  const auto rgba = label_picture_colors(*picture, colours, {}, contrast, {1, 2, 3, 255});
  for (std::size_t i = 0; i < picture->all.labels.size(); ++i) {
    const float value = plain->values[i];
    if (std::isnan(value)) {
      EXPECT_EQ(picture->all.pixels[i], -1);
      EXPECT_EQ(rgba[4 * i + 2], 3);
      continue;
    }
    EXPECT_EQ(picture->all.values.values[i], value);
    const auto at = static_cast<std::size_t>(picture->all.pixels[i]);
    ASSERT_EQ(order[at], value);
    EXPECT_EQ(picture->all.labels[i], labels->values[at]);
    const double t = static_cast<double>(value) / contrast.high;
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint32_t label = labels->values[at];
      const double full = label == 0 ? 255.0 : colours.colour(label)[c];
      EXPECT_NEAR(rgba[4 * i + c], full * t, 2.0);
    }
  }
}

TEST(LabelScene, TheSameBytesForAnyNumberOfThreads) {
  const Size3 n{17, 30, 23};
  const auto labels = std::make_shared<const Labels>(balls(n, 2));
  LabelSceneLook look;
  look.chosen = {3};
  const RayCamera camera = cameras(n)[1];
  std::vector<LabelPicture> pictures;
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    const auto scene = LabelScene::build(labels, n, kVoxel, look);
    ASSERT_TRUE(scene.ok());
    auto picture = (*scene)->render(camera, kWidth, kHeight);
    ASSERT_TRUE(picture.ok());
    pictures.push_back(*std::move(picture));
  }
  set_thread_count(0);
  EXPECT_EQ(pictures[0].all.pixels, pictures[1].all.pixels);
  EXPECT_EQ(pictures[0].all.labels, pictures[1].all.labels);
  EXPECT_EQ(pictures[0].chosen->pixels, pictures[1].chosen->pixels);
}

TEST(LabelScene, RefusesLabelsOfOtherData) {
  const Size3 n{4, 5, 6};
  auto labels = std::make_shared<const Labels>(balls(n, 1));
  EXPECT_FALSE(LabelScene::build(labels, Size3{4, 5, 7}, kVoxel, {}).ok());
  LabelSceneLook look;
  look.style = LabelStyle::coloured;
  const auto scene = LabelScene::build(labels, n, kVoxel, look);
  ASSERT_TRUE(scene.ok());
  EXPECT_FALSE((*scene)->render(cameras(n)[0], 8, 8).ok());
}

}  // namespace
}  // namespace aprscope
