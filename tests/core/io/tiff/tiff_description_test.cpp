// What TIFF files say of themselves: descriptions, companions, ImageJ's texts, tags.
#include "core/io/tiff/tiff_description.hpp"

#include <gtest/gtest.h>

#include "core/io/image_source.hpp"
#include "core/io/original_metadata.hpp"
#include "tests/core/io/tiff_maker.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOme =
    "<OME><Image><Pixels SizeX=\"37\" SizeY=\"29\" SizeZ=\"1\" SizeC=\"1\" SizeT=\"1\" "
    "Type=\"uint16\" DimensionOrder=\"XYZCT\"><TiffData IFD=\"0\"/></Pixels></Image></OME>";

void write_page(const fs::path& path, const std::string& description) {
  TiffMaker maker(path, "w");
  PageSpec spec;
  spec.description = description;
  maker.add(spec, std::vector<std::uint16_t>(std::size_t{37} * 29, 258));
}

std::vector<MetadataPart> parts_of(const fs::path& path) {
  const auto info = inspect(path.string());
  EXPECT_TRUE(info.ok()) << (info ? "" : info.error().message());
  if (!info) return {};
  auto parts = original_metadata(*info);
  EXPECT_TRUE(parts.ok()) << (parts ? "" : parts.error().message());
  return parts ? *std::move(parts) : std::vector<MetadataPart>();
}

// ImageJ's tags: a head of kinds and counts, and texts in UTF-16.
struct ImageJTags {
  bool big_endian = false;
  std::vector<std::uint32_t> counts{0};
  std::vector<std::uint8_t> head, texts;

  void number(std::vector<std::uint8_t>& out, std::uint32_t value, int size) const {
    for (int i = 0; i < size; ++i) {
      const int shift = 8 * (big_endian ? size - 1 - i : i);
      out.push_back(static_cast<std::uint8_t>(value >> static_cast<unsigned>(shift)));
    }
  }
  void add(const std::u16string& text) {
    const std::size_t before = texts.size();
    for (const char16_t c : text) number(texts, c, 2);
    counts.push_back(static_cast<std::uint32_t>(texts.size() - before));
  }
  void kind(std::uint32_t name, std::uint32_t count) {
    if (head.empty()) number(head, 0x494a494a, 4);  // "IJIJ"
    number(head, name, 4);
    number(head, count, 4);
    counts[0] = static_cast<std::uint32_t>(head.size());
  }
  [[nodiscard]] std::vector<std::uint8_t> bytes() const {
    std::vector<std::uint8_t> all = head;
    all.insert(all.end(), texts.begin(), texts.end());
    return all;
  }
};

ImageJTags imagej_tags(bool big_endian) {
  ImageJTags tags{big_endian, {0}, {}, {}};
  tags.kind(0x696e666f, 1);  // "info"
  tags.kind(0x72616e67, 1);  // "rang", which is no text
  tags.kind(0x6c61626c, 2);  // "labl"
  tags.add(u"Objective = 63×\n😀");
  tags.add(u"1234");
  tags.add(u"z 1");
  tags.add(u"z 2");
  return tags;
}

TEST(TiffDescription, IsNamedByWhatItIs) {
  const TemporaryFolder folder;
  const fs::path path = folder / "a.tif";
  write_page(path, kOme);
  auto parts = parts_of(path);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].title, "OME-XML");
  EXPECT_NE(parts[0].text.find("\n  <Image>\n    <Pixels SizeX=\"37\""), std::string::npos)
      << parts[0].text;
  write_page(path, "ImageJ=1.53c\nimages=1\nunit=micron\n");
  parts = parts_of(path);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].title, "ImageJ");
  EXPECT_EQ(parts[0].text, "ImageJ=1.53c\nimages=1\nunit=micron\n");
  write_page(path, "{\"shape\": [1, 29, 37], \"stage\": {\"x\": 1}}");
  parts = parts_of(path);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].title, "ImageDescription");
  EXPECT_NE(parts[0].text.find("\n  \"shape\": [1, 29, 37],\n"), std::string::npos)
      << parts[0].text;
  write_page(path, "");
  EXPECT_TRUE(parts_of(path).empty());
}

TEST(TiffDescription, TagsOfTheWriter) {
  const TemporaryFolder folder;
  const fs::path path = folder / "a.tif";
  {
    TiffMaker maker(path, "w");
    TIFFSetField(maker.get(), TIFFTAG_SOFTWARE, "scope 3");
    TIFFSetField(maker.get(), TIFFTAG_DATETIME, "2021:03:04 05:06:07");
    maker.add({}, std::vector<std::uint16_t>(std::size_t{37} * 29, 258));
  }
  const auto parts = parts_of(path);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].title, "Tags");
  EXPECT_EQ(parts[0].text, "Software = scope 3\nDateTime = 2021:03:04 05:06:07\n");
}

TEST(TiffDescription, ACompanionIsReadBesideTheFileOnly) {
  const TemporaryFolder folder;
  const fs::path path = folder / "a.ome.tif";
  const auto naming = [](const std::string& name) {
    return "<OME><BinaryOnly MetadataFile=\"" + name + "\" UUID=\"urn:uuid:1\"/></OME>";
  };
  write_page(path, naming("a.companion.ome"));
  write_bytes(folder / "a.companion.ome", kOme);
  const auto parts = parts_of(path);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[1].title, "a.companion.ome");
  EXPECT_NE(parts[1].text.find("<Pixels SizeX=\"37\""), std::string::npos) << parts[1].text;
  fs::create_directory(folder / "in");
  for (const std::string& name :
       {std::string("../a.companion.ome"), (folder / "a.companion.ome").string()}) {
    write_page(folder / "in/a.tif", naming(name));
    const auto read = read_tiff_texts(folder / "in/a.tif", {});
    ASSERT_TRUE(read.ok()) << name;
    ASSERT_EQ(read->size(), 3U);
    EXPECT_EQ((*read)[1].text.rfind("(not shown: ", 0), 0U) << (*read)[1].text;
  }
}

TEST(TiffDescription, TextsOfImageJ) {
  for (const bool big_endian : {false, true}) {
    const ImageJTags tags = imagej_tags(big_endian);
    const auto parts = parse_imagej_texts(tags.counts, tags.bytes());
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_EQ(parts[0].title, "ImageJ: Info");
    EXPECT_EQ(parts[0].text, "Objective = 63×\n😀");
    EXPECT_EQ(parts[1].title, "ImageJ: Labels");
    EXPECT_EQ(parts[1].text, "z 1\nz 2");
    // Cut anywhere, nothing is read beyond.
    const auto bytes = tags.bytes();
    for (std::size_t n = 0; n < bytes.size(); ++n) {
      EXPECT_LE(parse_imagej_texts(tags.counts, std::span(bytes).first(n)).size(), 1U);
    }
    auto counts = tags.counts;
    for (std::uint32_t& count : counts) {
      const std::uint32_t kept = count;
      count = 0xFFFFFFFFU;
      EXPECT_LE(parse_imagej_texts(counts, bytes).size(), 1U);
      count = kept;
    }
  }
}

TEST(TiffDescription, TextsOfImageJFromItsTags) {
  const TemporaryFolder folder;
  const fs::path path = folder / "a.tif";
  const ImageJTags tags = imagej_tags(false);
  {
    TiffMaker maker(path, "w");
    char first[] = "IJMetadataByteCounts";
    char second[] = "IJMetadata";
    const TIFFFieldInfo fields[] = {
        {50838, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_LONG, FIELD_CUSTOM, 1, 1, first},
        {50839, TIFF_VARIABLE2, TIFF_VARIABLE2, TIFF_BYTE, FIELD_CUSTOM, 1, 1, second}};
    ASSERT_EQ(TIFFMergeFieldInfo(maker.get(), fields, 2), 0);
    const auto bytes = tags.bytes();
    ASSERT_EQ(TIFFSetField(maker.get(), 50838, static_cast<std::uint32_t>(tags.counts.size()),
                           tags.counts.data()),
              1);
    ASSERT_EQ(
        TIFFSetField(maker.get(), 50839, static_cast<std::uint32_t>(bytes.size()), bytes.data()),
        1);
    PageSpec spec;
    spec.description = "ImageJ=1.53c\nimages=1\n";
    maker.add(spec, std::vector<std::uint16_t>(std::size_t{37} * 29, 258));
  }
  const auto parts = parts_of(path);
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[1].title, "ImageJ: Info");
  EXPECT_EQ(parts[1].text, "Objective = 63×\n😀");
  EXPECT_EQ(parts[2].text, "z 1\nz 2");
}

}  // namespace
}  // namespace aprscope::test
