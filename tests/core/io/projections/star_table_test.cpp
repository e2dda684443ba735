#include "core/io/projections/star_table.hpp"

#include <gtest/gtest.h>

namespace aprscope::test {
namespace {

using Values = std::vector<std::string>;

Values split(std::string_view line) {
  std::vector<std::string_view> values;
  EXPECT_TRUE(split_star_line(line, values)) << line;
  return {values.begin(), values.end()};
}

TEST(StarTable, ALineIsCutIntoItsValues) {
  EXPECT_EQ(split(" 1.5\t a@b.mrcs \r"), (Values{"1.5", "a@b.mrcs"}));
  EXPECT_EQ(split("'a b' \"c 'd\" ' 1.0   2.0 '"), (Values{"a b", "c 'd", " 1.0   2.0 "}));
  EXPECT_EQ(split("[1,2, 3] x"), (Values{"[1,2, 3]", "x"}));
  EXPECT_EQ(split("_rlnVoltage #3"), (Values{"_rlnVoltage"}));
  EXPECT_EQ(split("a#b # c"), (Values{"a#b"}));
  EXPECT_EQ(split("it's 'it's' ''"), (Values{"it's", "it's", ""}));
  EXPECT_EQ(split("  "), Values{});
  std::vector<std::string_view> values;
  EXPECT_FALSE(split_star_line("a 'b", values));
  EXPECT_FALSE(split_star_line("a [1,2", values));
}

TEST(StarTable, AFirstValueMayBeEmpty) {
  const auto file = parse_star("data_a\nloop_\n_rlnA #1\n_rlnB #2\n'' 2\n\"\" 3\n", "a.star");
  ASSERT_TRUE(file.ok()) << file.error().message();
  EXPECT_EQ(file->table("a")->row_count(), 2U);
  const auto outside = parse_star("data_a\n''\n", "b.star");
  ASSERT_FALSE(outside.ok());
}

TEST(StarTable, BlocksHaveLoopsOrPairs) {
  const auto file = parse_star(
      "# version 30001\r\n\r\ndata_general\n_rlnA  5 # five\n_rlnB 'x y'\n\n"
      "data_particles\nloop_ \n_rlnImageName #1 \n_rlnX #2\n"
      "data_1/m.mrcs 3\n\n_c 4\nloop_ 5\n"
      "data_\nloop_\n_only #1\n7\n8\n",
      "a.star");
  ASSERT_TRUE(file.ok()) << file.error().message();
  ASSERT_EQ(file->tables.size(), 3U);
  std::vector<std::string_view> row;
  const StarTable& general = *file->table("general");
  EXPECT_EQ(general.row_count(), 1U);
  EXPECT_EQ(file->row(general, 0, row), 4U);
  EXPECT_EQ(Values(row.begin(), row.end()), (Values{"5", "x y"}));
  // Rows may begin like keywords do.
  const StarTable& particles = *file->table("particles");
  ASSERT_EQ(particles.row_count(), 3U);
  EXPECT_EQ(particles.column("rlnX"), std::size_t{1});
  EXPECT_FALSE(particles.column("rlnx").has_value());
  EXPECT_EQ(file->row(particles, 0, row), 11U);
  EXPECT_EQ(row[0], "data_1/m.mrcs");
  EXPECT_EQ(file->row(particles, 2, row), 14U);
  EXPECT_EQ(row[1], "5");
  EXPECT_EQ(file->table("")->row_count(), 2U);
  EXPECT_FALSE(file->xmipp);
  EXPECT_TRUE(parse_star("# XMIPP_STAR_1 * \n# \ndata_noname\n _image a\n", "a.xmd")->xmipp);
}

TEST(StarTable, WhatIsWrongIsNamedWithItsLine) {
  const auto error = [](const std::string& text) {
    const auto file = parse_star(text, "a.star", {1000, 3, 2});
    return file ? std::string() : file.error().message();
  };
  const auto says = [&](const std::string& text, const std::string& what) {
    EXPECT_NE(error(text).find("a.star: " + what), std::string::npos) << error(text);
  };
  says("data_a\nloop_\n_x\n_y\n1 2\n3\n", "has 1 values in a row of 2 columns (line 6)");
  says("data_a\nloop_\n_x\n_x\n", "has the column x twice (line 4)");
  says("data_a\nloop_\n_a\n_b\n_c\n_d\n", "has more than 3 columns (line 6)");
  says("data_a\nloop_\n_a\n'1\n", "has a quote or a bracket that is not closed (line 4)");
  says("data_a\nloop_\n1 2\n", "has a loop_ without labels (line 3)");
  says("data_a\n_x\n", "has a label without one value");
  says("data_a\n1 2\n", "has values without a loop_ before them (line 2)");
  says("hello\n", "has a line before the first data_ block (line 1)");
  says("data_a\ndata_b\ndata_c\n", "holds too many tables (line 3)");
  says("data_a\nloop_\n", "ends in a loop_ of nothing");
  says(std::string("data_a\n\0", 8), "is not text");
  says(std::string(1001, ' '), "is larger than a table may be");
  EXPECT_TRUE(parse_star("", "a.star").ok());
}

}  // namespace
}  // namespace aprscope::test
