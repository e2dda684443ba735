#include "core/io/apr/apr_join.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/io/apr/apr_copy.hpp"
#include "core/io/apr/apr_write.hpp"
#include "core/io/image_source.hpp"
#include "tests/core/io/apr_maker.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/random_apr.hpp"

namespace aprscope {
namespace {

// Of several chunks, with labels and a second field.
Apr part_of_film(unsigned seed, int channel, int time) {
  Apr apr = test::random_apr({.size = {60, 61, 63}, .seed = seed, .split = 0.95});
  apr.channel_index = channel;
  apr.channel = channel == 0 ? "GFP" : "mCherry";
  apr.time = time;
  apr.voxel = {2.0, 0.5, 0.5, "µm"};
  apr.history = {"made for a test"};
  std::vector<float> more = apr.main_field()->to_float();
  std::reverse(more.begin(), more.end());
  apr.fields.push_back(std::make_shared<const Field>(Field{"more", std::move(more)}));
  return apr;
}

SourceInfo described(const std::filesystem::path& path) {
  auto info = inspect(path.string());
  EXPECT_TRUE(info) << info.error().message();
  return info ? *std::move(info) : SourceInfo{};
}

TEST(AprJoin, IsTheFileOfTheSeries) {
  const test::TemporaryFolder folder;
  for (const bool with_tree : {false, true}) {
    AprWriteOptions options;
    options.with_tree = with_tree;
    std::vector<Apr> series;
    std::vector<AprPartFile> files;
    for (int i = 0; i < 4; ++i) {
      series.push_back(part_of_film(static_cast<unsigned>(i + 1), i % 2, i / 2));
      const auto file = folder / (std::to_string(i) + ".apr");
      ASSERT_TRUE(write_apr(series.back(), file, options));
      files.push_back({described(file), i % 2});
    }
    ASSERT_TRUE(write_apr_series(series, folder / "whole.apr", options));
    const Status joined = join_apr_files(files, folder / "joined.apr", options);
    ASSERT_TRUE(joined) << joined.error().message();
    EXPECT_TRUE(test::bytes_of_file(folder / "joined.apr") ==
                test::bytes_of_file(folder / "whole.apr"));
  }
}

TEST(AprJoin, ErrorsLeaveTheOldFile) {
  const test::TemporaryFolder folder;
  const auto out = folder / "out.apr";
  std::ofstream(out) << "old";
  EXPECT_FALSE(join_apr_files({}, out));
  ASSERT_TRUE(write_apr(part_of_film(1, 0, 0), folder / "one.apr"));
  const std::vector<AprPartFile> twice{{described(folder / "one.apr"), 0},
                                       {described(folder / "one.apr"), 1}};
  const Status same = join_apr_files(twice, out);
  ASSERT_FALSE(same);
  EXPECT_NE(same.error().what.find("time point 0 twice"), std::string::npos)
      << same.error().message();
  ASSERT_TRUE(write_apr(part_of_film(2, 1, 0), folder / "two.apr"));
  const std::vector<AprPartFile> gone{{described(folder / "one.apr"), 0},
                                      {described(folder / "two.apr"), 1}};
  std::filesystem::remove(folder / "two.apr");
  EXPECT_FALSE(join_apr_files(gone, out));
  EXPECT_EQ(test::bytes_of_file(out), "old");
}

}  // namespace
}  // namespace aprscope
