// Which files of a folder make up an image, by their names alone.
#include "core/io/slices/slice_names.hpp"

#include <gtest/gtest.h>

namespace aprscope::test {
namespace {

using Names = std::vector<std::string>;

SliceNames only(const Names& files) {
  const auto images = slice_names(files);
  EXPECT_EQ(images.size(), 1U);
  return images.empty() ? SliceNames{} : images.front();
}

TEST(SliceNames, NumbersCountByTheirValues) {
  EXPECT_TRUE(natural_less("slice2.tif", "slice10.tif"));
  EXPECT_FALSE(natural_less("slice10.tif", "slice2.tif"));
  EXPECT_TRUE(natural_less("a2_1", "a2_1b"));
  EXPECT_FALSE(natural_less("a007", "a007"));
  // More digits than any integer has.
  EXPECT_TRUE(natural_less("9", "100000000000000000000000000000"));
  const auto image = only({"s10.tif", "s9.tif", "s08.tif", "s11.tif"});
  EXPECT_EQ(image.files, (Names{"s08.tif", "s9.tif", "s10.tif", "s11.tif"}));
  EXPECT_EQ(image.slices, 4);
  EXPECT_EQ(image.name, "s#.tif");
  EXPECT_EQ(image.problem, "");
}

TEST(SliceNames, WordsSayWhatNumbersAre) {
  for (const char* form :
       {"a_c%d_t%d_z%d.tif", "x C=%d,T=%d,Z=%d.tif", "ch%d_time%03d_slice%02d.tif",
        "channel%03d_timepoint%09d_plane%d.tif"}) {
    Names files;
    for (int z = 3; z > 0; --z) {
      for (int c = 0; c < 2; ++c) {
        for (int t = 0; t < 4; ++t) {
          char name[100];
          std::snprintf(name, sizeof name, form, c, t, z);
          files.emplace_back(name);
        }
      }
    }
    const auto image = only(files);
    SCOPED_TRACE(form);
    EXPECT_EQ(image.channels.size(), 2U);
    EXPECT_EQ(image.times, 4);
    EXPECT_EQ(image.slices, 3);
    EXPECT_EQ(image.problem, "");
    char wanted[100];
    std::snprintf(wanted, sizeof wanted, form, 1, 2, 3);
    EXPECT_EQ(image.files.at((2 * 2 + 1) * 3 + 2), wanted);
  }
}

TEST(SliceNames, WordsAreWholeWords) {
  // "abc" is no channel, and what does not change says nothing.
  const auto image = only({"t5_abc1.tif", "t5_abc2.tif"});
  EXPECT_EQ(image.slices, 2);
  EXPECT_EQ(image.times, 1);
  EXPECT_EQ(image.channels, Names{""});
  EXPECT_EQ(image.name, "t5_abc#.tif");
}

TEST(SliceNames, NumbersThatNobodyKnowsTellImagesApart) {
  const auto images = slice_names({"pos1_z1.tif", "pos1_z2.tif", "pos2_z1.tif", "pos2_z2.tif",
                                   "other.tif", "B3_001.tif", "B3_002.tif"});
  Names names;
  for (const auto& image : images) names.push_back(image.name);
  EXPECT_EQ(names, (Names{"B3_#.tif", "other.tif", "pos1_z#.tif", "pos2_z#.tif"}));
  EXPECT_EQ(images[3].files, (Names{"pos2_z1.tif", "pos2_z2.tif"}));
}

TEST(SliceNames, WhatLacksIsNamed) {
  EXPECT_EQ(only({"z1.tif", "z2.tif", "z4.tif"}).problem, "lacks slice 3 (after 2 comes 4)");
  // Every tenth is a stack, too.
  EXPECT_EQ(only({"z0.tif", "z10.tif", "z20.tif"}).problem, "");
  EXPECT_EQ(only({"c1_z1.tif", "c1_z2.tif", "c2_z1.tif"}).problem,
            "lacks a file: slice 2, channel 2");
  EXPECT_EQ(only({"t1_z1.tif", "t1_z2.tif", "t2_z2.tif"}).problem,
            "lacks a file: slice 1, time point 2");
  EXPECT_EQ(only({"z1.tif", "z01.tif", "z2.tif"}).problem,
            "has the same slice twice (z01.tif and z1.tif)");
}

}  // namespace
}  // namespace aprscope::test
