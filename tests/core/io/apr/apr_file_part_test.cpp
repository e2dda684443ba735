// Levels and regions from files: equal to what the whole file gives, and read from a part of it.
#include "core/io/apr/apr_file_part.hpp"

#include <fstream>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "core/apr/structure/tree.hpp"
#include "core/io/apr/apr_file.hpp"
#include "core/io/write.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"
#include "tests/support/sanitized.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

class AprFilePartTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("aprscope_part_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) +
               "_" + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // A file with a tree or without.
  SourceInfo write(const Apr& apr, bool with_tree) {
    const fs::path path = folder_ / "a.apr";
    AprWriteOptions options;
    options.with_tree = with_tree;
    EXPECT_TRUE(write_apr(apr, path, options).ok());
    auto info = inspect_apr(path);
    EXPECT_TRUE(info.ok());
    return *info;
  }

  fs::path folder_;
};

std::vector<Region> some_regions(const Size3& n) {
  return {whole(n),
          {{0, 0, 0}, {1, 1, 1}},
          {{n.z - 1, n.x - 1, n.y - 1}, n},
          {{n.z / 3, n.x / 4, n.y / 5}, {n.z / 2 + 1, n.x / 2 + 2, n.y - 3}},
          {{n.z / 2, 0, 0}, {n.z / 2 + 1, n.x, n.y}}};
}

TEST_F(AprFilePartTest, RegionsEqualThoseOfTheWhole) {
  const Size3 size{37, 50, 70};
  const Apr apr = random_apr({.size = size, .seed = 3, .split = 0.7});
  const SourceInfo info = write(apr, false);
  const auto values = apr.main_field()->to_float();
  for (const Region& region : some_regions(size)) {
    for (const bool levels : {false, true}) {
      const auto part = load_apr_file_part(info, {}, {0, region, levels});
      ASSERT_TRUE(part.ok()) << part.error().message();
      ASSERT_TRUE(part->has_value());
      const auto mode = levels ? ReconstructionMode::level : ReconstructionMode::constant;
      const auto expected = reconstruct(*apr.access, values, mode, region);
      ASSERT_TRUE(expected.ok());
      const Volume& image = (*part)->image;
      EXPECT_STREQ(image.dtype(), levels ? "u8" : "u16");
      ASSERT_EQ(image.size(), region.size());
      EXPECT_EQ(image.to_float().values, expected->values);
      EXPECT_LE((*part)->cells_read, apr.access->count());
    }
  }
}

// Planes so large that only their part in the box is read.
TEST_F(AprFilePartTest, ThinBoxesOfWidePlanesEqualThoseOfTheWhole) {
  const Size3 size{6, 420, 400};
  const Apr apr = random_apr({.size = size, .seed = 8, .split = 0.8});
  const SourceInfo info = write(apr, false);
  const auto values = apr.main_field()->to_float();
  const std::vector<Region> regions{{{0, 7, 0}, {6, 8, 400}},
                                    {{0, 419, 130}, {6, 420, 390}},
                                    {{1, 0, 11}, {5, 3, 12}},
                                    {{0, 0, 399}, {6, 420, 400}}};
  for (const Region& region : regions) {
    const auto part = load_apr_file_part(info, {}, {0, region, false});
    ASSERT_TRUE(part.ok()) << part.error().message();
    ASSERT_TRUE(part->has_value());
    const auto expected = reconstruct(*apr.access, values, ReconstructionMode::constant, region);
    ASSERT_TRUE(expected.ok());
    EXPECT_EQ((*part)->image.to_float().values, expected->values);
  }
}

TEST_F(AprFilePartTest, LevelsEqualThoseOfTheWhole) {
  const Size3 size{37, 50, 70};
  Apr apr = random_apr({.size = size, .seed = 4, .split = 0.7});
  apr.voxel = {0.5, 0.25, 0.125, "µm"};
  const SourceInfo info = write(apr, true);
  const auto values = apr.main_field()->to_float();
  const auto tree = fill_tree(*apr.access, values, Reduction::mean);
  ASSERT_TRUE(tree.ok());
  const int finest = apr.access->level_max();
  std::uint64_t before = 0;
  for (int level = 1; level <= finest; ++level) {
    const auto expected = reconstruct_at_level(*apr.access, values, *tree, level);
    ASSERT_TRUE(expected.ok());
    const auto part = load_apr_file_part(info, {}, {level, {}, false});
    ASSERT_TRUE(part.ok()) << part.error().message();
    ASSERT_TRUE(part->has_value());
    EXPECT_EQ((*part)->image.to_float().values, expected->values) << level;
    EXPECT_DOUBLE_EQ((*part)->image.voxel.x, 0.25 * static_cast<double>(1 << (finest - level)));
    EXPECT_GT((*part)->cells_read, before);
    before = (*part)->cells_read;

    // A region of a level: the cells that its pixels touch.
    const Region pixels{{5, 11, 3}, {30, 12, 64}};
    const auto cut = load_apr_file_part(info, {}, {level, pixels, false});
    ASSERT_TRUE(cut.ok() && cut->has_value());
    const int shift = finest - level;
    const Pixels<float> image = (*cut)->image.to_float();
    ASSERT_EQ(image.size.z, (29 >> shift) - (5 >> shift) + 1);
    ASSERT_EQ(image.size.x, 1);
    ASSERT_EQ(image.size.y, (63 >> shift) - (3 >> shift) + 1);
    for (std::int64_t z = 0; z < image.size.z; ++z) {
      for (std::int64_t y = 0; y < image.size.y; ++y) {
        ASSERT_EQ(image.at(z, 0, y), expected->at((5 >> shift) + z, 11 >> shift, (3 >> shift) + y));
      }
    }
  }
}

TEST_F(AprFilePartTest, ReadsOnlyWhatIsNeeded) {
  const Size3 size{128, 64, 64};
  const Apr apr = random_apr({.size = size, .seed = 5, .split = 0.9});
  const SourceInfo info = write(apr, true);
  const auto plane = load_apr_file_part(info, {}, {0, Region{{40, 0, 0}, {41, 64, 64}}, false});
  ASSERT_TRUE(plane.ok() && plane->has_value());
  EXPECT_LT((*plane)->cells_read, apr.access->count() / 40);
  const auto coarse = load_apr_file_part(info, {}, {apr.access->level_max() - 2, {}, false});
  ASSERT_TRUE(coarse.ok() && coarse->has_value());
  EXPECT_LT((*coarse)->cells_read, apr.access->count() / 20);
}

TEST_F(AprFilePartTest, AFileThatChangesMeanwhileIsAnError) {
  const Apr apr = random_apr({.size = {20, 20, 20}, .seed = 6, .split = 0.7});
  const SourceInfo info = write(apr, false);
  bool changed = false;
  const JobContext context({}, [&](double /*fraction*/, std::string_view /*stage*/) {
    if (std::exchange(changed, true)) return;
    std::ofstream(info.path, std::ios::binary | std::ios::app) << "more";
  });
  const auto part = load_apr_file_part(info, {}, {0, whole({20, 20, 20}), false}, context);
  ASSERT_TRUE(changed);
  ASSERT_FALSE(part.ok());
  EXPECT_NE(part.error().message().find("was written to while it was read"), std::string::npos)
      << part.error().message();
}

TEST_F(AprFilePartTest, SaysWhatNeedsTheWholeFile) {
  const Apr apr = random_apr({.size = {20, 20, 20}, .seed = 6, .split = 0.7});
  const SourceInfo info = write(apr, false);
  const auto part = load_apr_file_part(info, {}, {2, {}, false});  // no tree in the file
  ASSERT_TRUE(part.ok());
  EXPECT_FALSE(part->has_value());
}

TEST_F(AprFilePartTest, RefusesWhatIsNotThere) {
  const Apr apr = random_apr({.size = {20, 21, 22}, .seed = 6, .split = 0.7});
  const SourceInfo info = write(apr, false);
  EXPECT_FALSE(load_apr_file_part(info, {}, {9, {}, false}).ok());
  for (const Region& region : {Region{{0, 0, 0}, {21, 1, 1}}, Region{{0, 0, -1}, {1, 1, 1}},
                               Region{{3, 0, 0}, {3, 1, 1}}}) {
    EXPECT_FALSE(load_apr_file_part(info, {}, {0, region, false}).ok());
  }
}

// Any byte of a file may be wrong: an error or an image, never a crash.
TEST_F(AprFilePartTest, DamagedFilesGiveErrorsOrImages) {
  const Apr apr = random_apr({.size = {30, 30, 30}, .seed = 8, .split = 0.8});
  const SourceInfo info = write(apr, true);
  std::ifstream in(info.path, std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(in), {}};
  int refused = 0;
  for (std::size_t at = 5; at < good.size(); at += good.size() / (kSanitized ? 50 : 150)) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x5A);
    std::ofstream(info.path, std::ios::binary | std::ios::trunc) << bad;
    if (!load_apr_file_part(info, {}, {0, Region{{3, 4, 5}, {20, 21, 22}}, false}).ok()) ++refused;
    if (!load_apr_file_part(info, {}, {3, {}, false}).ok()) ++refused;
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace aprscope::test
