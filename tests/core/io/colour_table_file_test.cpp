// Tables of colours as ImageJ and others write them.
#include "core/io/colours/colour_table_file.hpp"

#include <gtest/gtest.h>

#include "core/base/atomic_file.hpp"
#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

// Red rises, green falls, blue is 7.
std::string raw_table() {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(255 - i);
  return bytes + std::string(256, static_cast<char>(7));
}

void expect_raw(const Result<ColorTable>& table) {
  ASSERT_TRUE(table.ok()) << table.error().message();
  for (std::size_t i = 0; i < 256; ++i) {
    const auto rising = static_cast<std::uint8_t>(i);
    EXPECT_EQ((*table)[i],
              (std::array<std::uint8_t, 4>{rising, static_cast<std::uint8_t>(255 - i), 7, 255}));
  }
}

std::string lines_of(const std::string& head, bool numbered, const std::string& between) {
  std::string text = head;
  for (int i = 0; i < 256; ++i) {
    if (numbered) text += std::to_string(i) + between;
    text += std::to_string(i) + between + std::to_string(255 - i) + between + "7\r\n";
  }
  return text;
}

std::string message(const std::string& text) {
  const auto table = colour_table_from(text, "fire.lut");
  return table ? "" : table.error().message();
}

TEST(ColourTableFile, BytesComeWithAndWithoutTheHeaderOfNihImage) {
  expect_raw(colour_table_from(raw_table(), "fire.lut"));
  expect_raw(colour_table_from("ICOL" + std::string(28, '\1') + raw_table(), "fire.lut"));
}

TEST(ColourTableFile, LinesComeInAllTheirForms) {
  expect_raw(colour_table_from(lines_of("", false, " "), "a"));
  expect_raw(colour_table_from(lines_of("Index\tRed\tGreen\tBlue\n", true, "\t"), "a"));
  expect_raw(colour_table_from(lines_of("# mine\nred,green,blue\n", false, ","), "a"));
  expect_raw(colour_table_from(lines_of("\n", true, "; "), "a"));
}

TEST(ColourTableFile, TextOfAsManyBytesIsText) {
  std::string text;
  for (int i = 0; i < 64; ++i) text += "100,120,140\n";
  ASSERT_EQ(text.size(), 768U);
  const auto table = colour_table_from(text, "a");
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_EQ((*table)[9], (std::array<std::uint8_t, 4>{100, 120, 140, 255}));
  // A mark of UTF-8 before it makes no heading of the first line.
  const auto marked = colour_table_from(
      "\xEF\xBB\xBF"
      "10 20 30\n40 50 60\n",
      "a");
  ASSERT_TRUE(marked.ok()) << marked.error().message();
  EXPECT_EQ((*marked)[0], (std::array<std::uint8_t, 4>{10, 20, 30, 255}));
}

TEST(ColourTableFile, FewColoursAndFractionsAreStretched) {
  const auto table = colour_table_from("0 0 0\n1 0 0.5\n1 1 1\n", "a");
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_EQ((*table)[0], (std::array<std::uint8_t, 4>{0, 0, 0, 255}));
  EXPECT_EQ((*table)[255], (std::array<std::uint8_t, 4>{255, 255, 255, 255}));
  // A quarter of the way is half of the way to the second colour.
  EXPECT_NEAR((*table)[64][0], 128, 1);
  EXPECT_EQ((*table)[64][1], 0);
  EXPECT_NEAR((*table)[64][2], 64, 1);
}

TEST(ColourTableFile, WhatIsWrittenIsReadAgain) {
  const test::TemporaryFolder folder;
  const std::string path = (folder / "x.lut").string();
  ASSERT_TRUE(write_text_atomically(path, colour_table_bytes(colormap("magma"))).ok());
  const auto table = read_colour_table(path);
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_EQ(*table, colormap("magma"));
}

TEST(ColourTableFile, WhatIsNoTableGetsASentence) {
  EXPECT_NE(message("").find("fire.lut: holds no table of colours"), std::string::npos)
      << message("");
  EXPECT_NE(message("1 2 3\n").find("holds no table"), std::string::npos);
  EXPECT_NE(message("0 0 0\nred\n").find("in line 2"), std::string::npos);
  EXPECT_NE(message("0 0\n").find("it has 2 numbers"), std::string::npos);
  EXPECT_NE(message("0 0 0\n1 1 1 1\n").find("as many numbers"), std::string::npos);
  EXPECT_NE(message("0 0 256\n1 1 1\n").find("from 0 to 255"), std::string::npos);
  EXPECT_NE(message("0 0 nan\n1 1 1\n").find("from 0 to 255"), std::string::npos);
  const auto gone = read_colour_table("/nowhere/fire.lut");
  ASSERT_FALSE(gone.ok());
  EXPECT_NE(gone.error().message().find("/nowhere/fire.lut"), std::string::npos);
}

}  // namespace
}  // namespace aprscope
