#include "core/pipeline/batch_share.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

using Shares = std::vector<std::vector<std::size_t>>;

std::uint64_t load(const std::vector<std::uint64_t>& bytes, const std::vector<std::size_t>& share) {
  std::uint64_t sum = 0;
  for (const std::size_t i : share) sum += bytes[i];
  return sum;
}

TEST(BatchShare, TheLargestGoFirstToWhoHasLeast) {
  // By hand: 9 → 1, 7 → 2, 6 → 3, 5 → 3 (6 < 7 < 9), 4 → 2 (7), 1 → 1 (9).
  EXPECT_EQ(shares({4, 9, 1, 7, 6, 5}, 3), (Shares{{1, 2}, {0, 3}, {4, 5}}));
  // Ties: in order, to whoever has fewest files.
  EXPECT_EQ(shares({2, 2, 2, 2}, 2), (Shares{{0, 2}, {1, 3}}));
  EXPECT_EQ(shares({0, 0, 0}, 3), (Shares{{0}, {1}, {2}}));
  EXPECT_EQ(shares({5}, 3), (Shares{{0}, {}, {}}));
  EXPECT_EQ(shares({}, 2), (Shares{{}, {}}));
}

TEST(BatchShare, EveryInputIsInOnePartAndNoPartHasFarTooMuch) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint64_t> bytes(1 + random() % 60);
    for (auto& b : bytes) b = random() % 1000;
    const int parts = 1 + static_cast<int>(random() % 9);
    const Shares all = shares(bytes, parts);
    ASSERT_EQ(all.size(), static_cast<std::size_t>(parts));
    EXPECT_EQ(all, shares(bytes, parts));
    std::vector<std::size_t> seen;
    for (const auto& share : all) {
      EXPECT_TRUE(std::is_sorted(share.begin(), share.end()));
      seen.insert(seen.end(), share.begin(), share.end());
    }
    std::sort(seen.begin(), seen.end());
    std::vector<std::size_t> expected(bytes.size());
    std::iota(expected.begin(), expected.end(), std::size_t{0});
    EXPECT_EQ(seen, expected);
    // No two differ by more than the largest file, which the one that has more could have left out.
    const std::uint64_t largest = *std::max_element(bytes.begin(), bytes.end());
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t most = 0;
    for (const auto& share : all) {
      least = std::min(least, load(bytes, share));
      most = std::max(most, load(bytes, share));
    }
    EXPECT_LE(most - least, largest);
  }
}

TEST(BatchShare, PartsAreWrittenAsTwoNumbers) {
  ASSERT_TRUE(part_from("3/8").ok());
  EXPECT_EQ(*part_from("3/8"), (BatchPart{3, 8}));
  for (const char* wrong : {"", "3", "/8", "3/", "0/8", "9/8", "-1/8", "3/8/1", "3 /8", "a/b",
                            "1/1000000", "1/99999999999999999999"}) {
    EXPECT_FALSE(part_from(wrong).ok()) << wrong;
  }
  EXPECT_EQ(name_of_part("out/a.b/table.csv", {3, 8}), "out/a.b/table.part3.csv");
  EXPECT_EQ(name_of_part("table", {3, 8}), "table.part3");
}

TEST(BatchShare, BytesAreThoseOfFilesAndFolders) {
  const test::TemporaryFolder folder;
  const auto fill = [&](const std::filesystem::path& path, std::size_t bytes) {
    std::ofstream(path) << std::string(bytes, 'x');
  };
  std::filesystem::create_directories(folder / "image.zarr" / "0");
  fill(folder / "image.zarr" / "0" / "a", 30);
  fill(folder / "image.zarr" / "b", 12);
  fill(folder / "a.h5", 7);
  const std::string h5 = (folder / "a.h5").string();
  EXPECT_EQ(input_bytes({h5, h5 + ":/group/volume", (folder / "image.zarr").string(),
                         (folder / "missing.tif").string()}),
            (std::vector<std::uint64_t>{7, 7, 42, 0}));
}

}  // namespace
}  // namespace aprscope
