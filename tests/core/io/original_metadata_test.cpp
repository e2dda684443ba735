// What images say of themselves, as it stands in their files, in each format that says something.
#include "core/io/original_metadata.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "core/io/hdf5/hdf5_metadata.hpp"
#include "core/io/image_source.hpp"
#include "core/io/imaris/imaris_metadata.hpp"
#include "core/io/zarr/zarr_metadata.hpp"
#include "tests/core/io/bdv/bdv_maker.hpp"
#include "tests/core/io/hdf5_maker.hpp"
#include "tests/core/io/imaris/imaris_maker.hpp"
#include "tests/core/io/tiff_maker.hpp"
#include "tests/support/em_maker.hpp"
#include "tests/support/zarr_maker.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::vector<MetadataPart> metadata_of(const std::string& path) {
  const auto info = inspect(path);
  EXPECT_TRUE(info.ok()) << (info ? "" : info.error().message());
  if (!info) return {};
  auto parts = original_metadata(*info);
  EXPECT_TRUE(parts.ok()) << (parts ? "" : parts.error().message());
  return parts ? *std::move(parts) : std::vector<MetadataPart>();
}

std::string text_of(const std::vector<MetadataPart>& parts, const std::string& title) {
  for (const MetadataPart& part : parts) {
    if (part.title == title) return part.text;
  }
  return "";
}

void expect_has(const std::string& text, const std::string& words) {
  EXPECT_NE(text.find(words), std::string::npos) << text;
}

TEST(OriginalMetadata, AttributesOfHdf5) {
  const TemporaryFolder folder;
  {
    const Hdf5Made file(folder / "a.h5");
    file.group("g");
    file.dataset("g/v", H5T_STD_U16LE, {3, 4, 5}, std::vector<double>(60, 8));
    file.dataset("other", H5T_STD_U16LE, {3, 4}, std::vector<double>(12, 8));
    const auto attribute = [&](const char* object, const char* name,
                               const std::vector<double>& values) {
      const hsize_t count = values.size();
      const hid_t space = H5Screate_simple(1, &count, nullptr);
      const hid_t made = H5Acreate_by_name(file.id(), object, name, H5T_IEEE_F64LE, space,
                                           H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      ASSERT_GE(H5Awrite(made, H5T_NATIVE_DOUBLE, values.data()), 0);
      H5Aclose(made);
      H5Sclose(space);
    };
    attribute("/", "exposure", {0.25});
    attribute("/g/v", "element_size_um", {2, 0.5, 0.25});
    attribute("/g/v", "table", std::vector<double>(5000, 1.0));
    attribute("/other", "hidden", {1});
  }
  const auto parts = metadata_of((folder / "a.h5").string());
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].title, "Attributes");
  expect_has(parts[0].text, "[/]\nexposure = 0.25\n\n[/g/v]\nelement_size_um = 2 0.5 0.25\n");
  expect_has(parts[0].text, "table = (not shown: a long list");
  // Of what was not opened nothing is said, nor of groups without attributes.
  EXPECT_EQ(parts[0].text.find("hidden"), std::string::npos);
  EXPECT_EQ(parts[0].text.find("[/g]"), std::string::npos);
}

TEST(OriginalMetadata, AttributesOfImaris) {
  const TemporaryFolder folder;
  ImarisMaker maker;
  maker.texts["DataSetInfo/Image"]["LensPower"] = "63x";
  maker.texts["DataSetInfo/Image"]["Description"] = "a\xff\nb";
  maker.write(folder / "a.ims");
  const auto parts = metadata_of((folder / "a.ims").string());
  ASSERT_EQ(parts.size(), 1U);
  expect_has(parts[0].text, "[/]\n");
  expect_has(parts[0].text, "ImarisVersion = 5.5.0\n");
  expect_has(parts[0].text, "[/DataSetInfo/Image]\n");
  expect_has(parts[0].text, "LensPower = 63x\n");
  expect_has(parts[0].text, "Description = a\\xff\nb\n");
  expect_has(parts[0].text, "[/DataSetInfo/Channel 0]\nColor");
  expect_has(parts[0].text, "TimePoint1 = 2020-01-02 03:04:05.000\n");
}

TEST(OriginalMetadata, XmlOfBigDataViewer) {
  const TemporaryFolder folder;
  {
    const Hdf5Made file(folder / "a.h5");
    for (const char* group : {"t00000", "t00000/s00", "t00000/s00/0"}) file.group(group);
    file.dataset("t00000/s00/0/cells", H5T_STD_I16LE, {3, 4, 5}, std::vector<double>(60, 8));
  }
  BdvXmlMaker maker;
  maker.setup(0, "<channel>0</channel>");
  write_bytes(folder / "a.xml", maker.text());
  const auto parts = metadata_of((folder / "a.xml").string());
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].title, "BigDataViewer XML");
  expect_has(parts[0].text, "<!-- made by a test -->");
  expect_has(parts[0].text, "\n        <voxelSize>\n          <unit>micron</unit>\n");
}

TEST(OriginalMetadata, FilesOfZarr) {
  const TemporaryFolder folder;
  const fs::path store = folder / "a.zarr";
  ZarrArrayMaker<std::uint16_t> made{
      store / "0", {3, 4, 5}, {2, 4, 3}, [](const auto&) { return std::uint16_t{258}; }};
  made.write_2("<u2");
  write_file(store / ".zgroup", std::string(R"({"zarr_format": 2})"));
  write_file(store / ".zattrs",
             std::string(R"({"multiscales":[{"version":"0.4","axes":[{"name":"z","type":"space"},)"
                         R"({"name":"y","type":"space"},{"name":"x","type":"space"}],"datasets":)"
                         R"([{"path":"0","coordinateTransformations":[{"type":"scale","scale":)"
                         R"([2,0.50,0.25]}]}]}],"omero":{"channels":[{"label":"nuclei"}]}})"));
  write_file(store / "OME/METADATA.ome.xml", std::string("<OME><Image/></OME>"));
  const auto parts = metadata_of(store.string());
  expect_has(text_of(parts, ".zgroup"), "\"zarr_format\": 2");
  expect_has(text_of(parts, ".zattrs"), "\"scale\": [2, 0.50, 0.25]");
  expect_has(text_of(parts, ".zattrs"), "\"label\": \"nuclei\"");
  expect_has(text_of(parts, "0/.zarray"), "\"chunks\": [2, 4, 3]");
  expect_has(text_of(parts, "OME/METADATA.ome.xml"), "\n  <Image />\n");
  // Links out of the folder are not followed.
  write_bytes(folder / "secret", "secret");
  fs::remove(store / "OME/METADATA.ome.xml");
  fs::create_symlink(folder / "secret", store / "OME/METADATA.ome.xml");
  const auto linked = metadata_of(store.string());
  EXPECT_EQ(linked.size(), parts.size());
  expect_has(text_of(linked, "OME/METADATA.ome.xml"), "outside of its folder");
}

TEST(OriginalMetadata, FilesOfZarr3) {
  const TemporaryFolder folder;
  ZarrArrayMaker<std::uint16_t> made{
      folder / "b.zarr", {3, 4, 5}, {2, 4, 3}, [](const auto&) { return std::uint16_t{258}; }};
  made.write_3("uint16",
               Json::array({{{"name", "bytes"}, {"configuration", {{"endian", "little"}}}}}));
  expect_has(text_of(metadata_of((folder / "b.zarr").string()), "zarr.json"), "\"zarr_format\": 3");
}

TEST(OriginalMetadata, OfTheFirstSliceOfAFolder) {
  const TemporaryFolder folder;
  for (int z = 0; z < 3; ++z) {
    TiffMaker maker(folder / ("z" + std::to_string(z) + ".tif"), "w");
    PageSpec spec;
    spec.description = "slice " + std::to_string(z);
    maker.add(spec, std::vector<std::uint16_t>(std::size_t{37} * 29, 258));
  }
  EXPECT_EQ(text_of(metadata_of(folder.path().string()), "ImageDescription"), "slice 0");
}

TEST(OriginalMetadata, NoneAndErrors) {
  const TemporaryFolder folder;
  EmMaker::mrc({5, 4, 3}, 2, 1.5F).append(std::vector<float>(60, 8)).write(folder / "a.mrc");
  EXPECT_TRUE(metadata_of((folder / "a.mrc").string()).empty());
  {
    TiffMaker maker(folder / "a.tif", "w");
    maker.add({}, std::vector<std::uint16_t>(std::size_t{37} * 29, 258));
  }
  const auto info = inspect((folder / "a.tif").string());
  ASSERT_TRUE(info.ok());
  fs::remove(folder / "a.tif");
  const auto gone = original_metadata(*info);
  ASSERT_FALSE(gone.ok());
  expect_has(gone.error().message(), "a.tif");
  EXPECT_FALSE(gone.error().advice.empty());
  EXPECT_FALSE(original_metadata(SourceInfo{}).ok());
}

}  // namespace
}  // namespace aprscope::test
