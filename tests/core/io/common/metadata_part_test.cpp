// What files say of themselves, made fit to be shown: indented, in UTF-8, within bounds.
#include "core/io/common/metadata_part.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

std::string shown(const std::string& text) { return shown_metadata({"a", text}).text; }

TEST(MetadataPart, XmlIsIndented) {
  EXPECT_EQ(shown("<?xml version=\"1.0\"?><!-- b --><OME a=\"1\"><Image Name=\"x &lt; y\"/>"
                  "<D>two words</D></OME>"),
            "<?xml version=\"1.0\"?>\n<!-- b -->\n<OME a=\"1\">\n  <Image Name=\"x &lt; y\" />\n"
            "  <D>two words</D>\n</OME>\n");
  // Nothing is fetched or filled in for entities.
  const std::string entity = "<!DOCTYPE r [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><r>&e;</r>";
  EXPECT_NE(shown(entity).find("&amp;e;"), std::string::npos) << shown(entity);
  EXPECT_EQ(shown(entity).find("root:"), std::string::npos);
}

TEST(MetadataPart, JsonIsIndentedAndKeepsItsNumbers) {
  EXPECT_EQ(shown(R"({"scale":[1.0,0.50,2e-1],"big":123456789012345678901234567890,"e":{},)"
                  R"("axes":[{"name":"z","t":"a, {b: [\""}],"l":[[1],[2]]})"),
            "{\n"
            "  \"scale\": [1.0, 0.50, 2e-1],\n"
            "  \"big\": 123456789012345678901234567890,\n"
            "  \"e\": {},\n"
            "  \"axes\": [\n"
            "    {\"name\": \"z\", \"t\": \"a, {b: [\\\"\"}\n"
            "  ],\n"
            "  \"l\": [\n"
            "    [1],\n"
            "    [2]\n"
            "  ]\n"
            "}");
  // Long lists are broken, so that lines can be read.
  const std::string list = shown("{\"a\":[" + std::string(150, '1') + ",2]}");
  EXPECT_NE(list.find(",\n    2"), std::string::npos) << list;
}

TEST(MetadataPart, WhatIsDamagedStaysAsItIs) {
  for (const std::string text :
       {"<a><b></a>", "{\"a\": 1,,}", "[1, 2", "{", "<", "ImageJ=1.53\nunit=um\n"}) {
    EXPECT_EQ(shown(text), text);
  }
}

// A parser of JSON may end at a zero; what follows is shown all the same.
TEST(MetadataPart, ZerosAreNoEnd) {
  const std::string text("{}\0}]l],AT}", 11);
  EXPECT_EQ(shown_metadata({"", text}).text, "{}\\x00}]l],AT}");
}

TEST(MetadataPart, IsValidUtf8WithoutControlCharacters) {
  EXPECT_EQ(shown("a\tb\r\nµm \xff \x1b[31m\x07"), "a\tb\nµm \\xff \\x1b[31m\\x07");
  EXPECT_EQ(shown("turned \u202e round"), "turned \\u202e round");
  EXPECT_EQ(shown("end" + std::string(3, '\0')), "end");
  EXPECT_EQ(shown_metadata({"a\nb", "c"}).title, "a\\nb");
}

TEST(MetadataPart, NoMoreIsShownThanAsked) {
  const MetadataPart whole = shown_metadata({"a", "µµµ"}, 6);
  EXPECT_EQ(whole.text, "µµµ");
  EXPECT_FALSE(whole.cut);
  // Cut between characters.
  const MetadataPart part = shown_metadata({"a", "µµµ"}, 5);
  EXPECT_EQ(part.text, "µµ");
  EXPECT_TRUE(part.cut);
  // Escapes take more room than what they stand for.
  const MetadataPart escaped = shown_metadata({"a", std::string(10, '\xff')}, 10);
  EXPECT_LE(escaped.text.size(), 10U);
  EXPECT_TRUE(escaped.cut);
  const MetadataPart lines = shown_metadata({"a", "1\n2\n3\n"}, 4);
  EXPECT_EQ(lines.text, "1\n2\n");
  EXPECT_TRUE(lines.cut);
  EXPECT_TRUE(shown_metadata({"a", "b", true}).cut);
}

TEST(MetadataPart, DeepNestsDoNotGrow) {
  std::string xml;
  std::string json;
  for (int i = 0; i < 200000; ++i) xml += "<a>";
  for (int i = 0; i < 200000; ++i) xml += "</a>";
  json = std::string(200000, '[') + std::string(200000, ']');
  EXPECT_EQ(shown(xml), xml);
  EXPECT_EQ(shown(json), json);
}

TEST(MetadataPart, FilesAreReadToTheBound) {
  const TemporaryFolder folder;
  {
    std::ofstream file(folder / "large.xml");
    file << std::string(kMostMetadata, 'a') << "b";
  }
  const auto part = metadata_file("x", folder / "large.xml");
  ASSERT_TRUE(part.ok());
  EXPECT_TRUE(part->cut);
  EXPECT_EQ(part->text.size(), kMostMetadata);
  const auto missing = metadata_file("x", folder / "none.xml");
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().message().find("none.xml"), std::string::npos);
}

}  // namespace
}  // namespace aprscope::test
