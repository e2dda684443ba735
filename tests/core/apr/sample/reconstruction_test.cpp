#include "core/apr/sample/reconstruction.hpp"

#include <algorithm>
#include <cmath>
#include <stop_token>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "core/apr/structure/tree.hpp"
#include "core/base/system.hpp"
#include "core/io/image_source.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

// Smooth by its definition, pixel by pixel in double precision: trilinear interpolation of the
// isotropic grid of the level of the pixel's particle.
Pixels<float> naive_smooth(const AprAccess& access, const std::vector<float>& values) {
  const auto map = test::particle_map(access);
  const auto tree = test::naive_tree(access, values, Reduction::mean);
  std::vector<Pixels<float>> grids(1);
  for (int l = 1; l <= access.level_max(); ++l) {
    grids.push_back(test::naive_at_level(access, values, tree, l));
  }
  Pixels<float> out(access.size());
  const Size3& size = access.size();
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        const int l = map.level.at(z, x, y);
        const Pixels<float>& grid = grids[static_cast<std::size_t>(l)];
        const double s = std::ldexp(1.0, access.level_max() - l);
        const double u[3] = {(static_cast<double>(z) + 0.5) / s - 0.5,
                             (static_cast<double>(x) + 0.5) / s - 0.5,
                             (static_cast<double>(y) + 0.5) / s - 0.5};
        double sum = 0.0;
        for (int c = 0; c < 8; ++c) {
          double weight = 1.0;
          std::int64_t at[3];
          const std::int64_t n[3] = {grid.size.z, grid.size.x, grid.size.y};
          for (int a = 0; a < 3; ++a) {
            const double lower = std::floor(u[a]);
            const int second = c >> a & 1;
            weight *= second != 0 ? u[a] - lower : 1.0 - (u[a] - lower);
            at[a] =
                std::clamp<std::int64_t>(static_cast<std::int64_t>(lower) + second, 0, n[a] - 1);
          }
          sum += weight * static_cast<double>(grid.at(at[0], at[1], at[2]));
        }
        out.at(z, x, y) = static_cast<float>(sum);
      }
    }
  }
  return out;
}

class Reconstruction : public testing::TestWithParam<std::tuple<Size3, double, bool>> {
 protected:
  void SetUp() override {
    const auto& [size, split, balanced] = GetParam();
    access_ = test::random_access({size, 11, split, balanced});
    values_ = test::random_values(access_->count(), 12);
  }
  std::shared_ptr<const AprAccess> access_;
  std::vector<float> values_;
};

TEST_P(Reconstruction, ConstantIsTheParticleThatHoldsThePixel) {
  const auto image =
      reconstruct(*access_, values_, ReconstructionMode::constant, whole(access_->size()));
  ASSERT_TRUE(image.ok());
  const Size3& size = access_->size();
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        ASSERT_EQ(image->at(z, x, y), values_[access_->find({z, x, y}).index]);
      }
    }
  }
}

TEST_P(Reconstruction, LevelIsTheLevelOfTheParticle) {
  const auto image = reconstruct(*access_, {}, ReconstructionMode::level, whole(access_->size()));
  ASSERT_TRUE(image.ok());
  const auto map = test::particle_map(*access_);
  for (std::size_t i = 0; i < image->values.size(); ++i) {
    ASSERT_EQ(image->values[i], static_cast<float>(map.level.values[i]));
  }
}

TEST_P(Reconstruction, SmoothFollowsItsDefinition) {
  const auto image =
      reconstruct(*access_, values_, ReconstructionMode::smooth, whole(access_->size()));
  ASSERT_TRUE(image.ok());
  const auto expected = naive_smooth(*access_, values_);
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    ASSERT_NEAR(image->values[i], expected.values[i], 1e-6 * 1000.0 * access_->level_max()) << i;
  }
}

TEST_P(Reconstruction, SmoothKeepsAConstantExactly) {
  const std::vector<float> values(access_->count(), 0.3F);
  const auto image =
      reconstruct(*access_, values, ReconstructionMode::smooth, whole(access_->size()));
  ASSERT_TRUE(image.ok());
  for (const float v : image->values) ASSERT_EQ(v, 0.3F);
}

TEST_P(Reconstruction, RegionsAreCutsOfTheWhole) {
  const Size3& n = access_->size();
  const auto part = [](std::int64_t size, int k) {
    return std::pair{size * k / 7, std::max(size * k / 7 + 1, size * (k + 3) / 7)};
  };
  for (const auto mode :
       {ReconstructionMode::constant, ReconstructionMode::smooth, ReconstructionMode::level}) {
    const auto all = reconstruct(*access_, values_, mode, whole(n));
    ASSERT_TRUE(all.ok());
    for (int k = 0; k < 4; ++k) {
      const auto [z0, z1] = part(n.z, k);
      const auto [x0, x1] = part(n.x, (k + 2) % 4);
      const auto [y0, y1] = part(n.y, (k + 1) % 4);
      const Region region{{z0, x0, y0}, {z1, x1, y1}};
      const auto cut = reconstruct(*access_, values_, mode, region);
      ASSERT_TRUE(cut.ok());
      ASSERT_EQ(cut->size, region.size());
      for (std::int64_t z = z0; z < z1; ++z) {
        for (std::int64_t x = x0; x < x1; ++x) {
          for (std::int64_t y = y0; y < y1; ++y) {
            ASSERT_EQ(cut->at(z - z0, x - x0, y - y0), all->at(z, x, y));
          }
        }
      }
    }
  }
}

TEST_P(Reconstruction, AtLevelIsTheIsotropicGrid) {
  const auto tree = fill_tree(*access_, values_, Reduction::mean);
  ASSERT_TRUE(tree.ok());
  for (int l = 1; l <= access_->level_max(); ++l) {
    const auto image = reconstruct_at_level(*access_, values_, *tree, l);
    ASSERT_TRUE(image.ok());
    const auto expected = test::naive_at_level(*access_, values_, *tree, l);
    EXPECT_EQ(image->size, expected.size);
    EXPECT_EQ(image->values, expected.values) << "level " << l;
  }
}

TEST_P(Reconstruction, SameBytesForAnyThreadCount) {
  for (const auto mode : {ReconstructionMode::constant, ReconstructionMode::smooth}) {
    set_thread_count(1);
    const auto one = reconstruct(*access_, values_, mode, whole(access_->size()));
    set_thread_count(5);
    const auto five = reconstruct(*access_, values_, mode, whole(access_->size()));
    set_thread_count(0);
    ASSERT_TRUE(one.ok() && five.ok());
    EXPECT_EQ(one->values, five->values);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, Reconstruction,
                         testing::Values(std::tuple{Size3{1, 1, 1}, 0.5, true},
                                         std::tuple{Size3{1, 1, 67}, 0.6, true},
                                         std::tuple{Size3{1, 29, 1}, 0.6, false},
                                         std::tuple{Size3{1, 37, 34}, 0.6, true},
                                         std::tuple{Size3{11, 20, 35}, 0.6, false},
                                         std::tuple{Size3{35, 33, 34}, 0.6, true},
                                         std::tuple{Size3{9, 8, 7}, 1.0, true},
                                         std::tuple{Size3{16, 16, 16}, 0.0, true}));

TEST(Reconstruct, FullyRefinedGivesThePixels) {
  const auto access = test::full_access({5, 6, 7});
  const auto values = test::random_values(access->count(), 3);
  for (const auto mode : {ReconstructionMode::constant, ReconstructionMode::smooth}) {
    const auto image = reconstruct(*access, values, mode, whole(access->size()));
    ASSERT_TRUE(image.ok());
    EXPECT_EQ(image->values, values);
  }
}

TEST(Reconstruct, SmoothFollowsALinearRampInsideALevel) {
  // Cells of side 8 whose values are their centres: interpolation gives every pixel its own y,
  // except half a cell from the edges.
  auto cells =
      LinearAccess::create({1, 1, 64}, 6, 1, 6, {0, 1, 2, 3, 4, 5, 6, 7}, {0, 0, 0, 8, 8, 8, 8});
  ASSERT_TRUE(cells.ok());
  const auto coarse = AprAccess::create(std::move(*cells));
  ASSERT_TRUE(coarse.ok());
  std::vector<float> values;
  for (int i = 0; i < 8; ++i) values.push_back(static_cast<float>(8 * i) + 3.5F);
  const auto image =
      reconstruct(**coarse, values, ReconstructionMode::smooth, whole((*coarse)->size()));
  ASSERT_TRUE(image.ok());
  for (std::int64_t y = 4; y < 60; ++y) {
    EXPECT_FLOAT_EQ(image->at(0, 0, y), static_cast<float>(y));
  }
}

// Files of the reference library: an APR, and its constant reconstruction and levels as images.
class ReferenceFiles : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(ReferenceFiles, ReconstructionEqualsTheirImages) {
  APRSCOPE_NEEDS_DATA();
  const auto& [folder, name] = GetParam();
  const std::string base = (test::data_dir() / "apr" / folder / name).string();
  const auto data = load_file(base + ".apr");
  ASSERT_TRUE(data.ok()) << data.error().message();
  const Apr& apr = std::get<Apr>(*data);
  const auto values = apr.main_field()->to_float();
  const Region all = whole(apr.access->size());
  const auto expect_image = [&](const char* suffix, ReconstructionMode mode) {
    const auto image = load_file(base + suffix);
    ASSERT_TRUE(image.ok()) << image.error().message();
    const auto got = reconstruct(*apr.access, values, mode, all);
    ASSERT_TRUE(got.ok());
    const Pixels<float> want = std::get<Volume>(*image).to_float();
    EXPECT_EQ(got->size, want.size);
    EXPECT_EQ(got->values, want.values) << suffix;
  };
  expect_image("_pc.tif", ReconstructionMode::constant);
  expect_image("_level.tif", ReconstructionMode::level);
}

INSTANTIATE_TEST_SUITE_P(All, ReferenceFiles,
                         testing::Values(std::pair{"sphere_1D", "sphere_1D"},
                                         std::pair{"sphere_2D", "sphere_2D"},
                                         std::pair{"sphere_diff_dims", "sphere"}),
                         [](const auto& test) { return std::string(test.param.first); });

TEST(Reconstruct, RefusesWhatDoesNotFit) {
  const auto access = test::random_access({.size = {8, 8, 8}});
  const auto values = test::random_values(access->count(), 3);
  const std::vector<float> wrong(access->count() + 1);
  const auto mode = ReconstructionMode::constant;
  EXPECT_FALSE(reconstruct(*access, wrong, mode, whole(access->size())).ok());
  EXPECT_FALSE(reconstruct(*access, values, mode, {{0, 0, 0}, {8, 8, 9}}).ok());
  EXPECT_FALSE(reconstruct(*access, values, mode, {{-1, 0, 0}, {8, 8, 8}}).ok());
  EXPECT_FALSE(reconstruct(*access, values, mode, {{4, 0, 0}, {2, 8, 8}}).ok());
  EXPECT_FALSE(reconstruct_at_level(*access, values, wrong, 0).ok());
  EXPECT_FALSE(reconstruct_at_level(*access, values, wrong, access->level_max() + 1).ok());
  EXPECT_FALSE(
      reconstruct(*access, values, wrong, ReconstructionMode::smooth, whole(access->size())).ok());
}

TEST(Reconstruct, StopsWhenAsked) {
  const auto access = test::random_access({.size = {16, 16, 16}});
  const auto values = test::random_values(access->count(), 6);
  std::stop_source source;
  source.request_stop();
  const JobContext context(source.get_token());
  for (const auto mode : {ReconstructionMode::constant, ReconstructionMode::smooth}) {
    const auto image = reconstruct(*access, values, mode, whole(access->size()), context);
    ASSERT_FALSE(image.ok());
    EXPECT_TRUE(image.error().cancelled());
  }
}

}  // namespace
}  // namespace aprscope
