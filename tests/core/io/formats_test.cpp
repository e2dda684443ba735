// The table of formats: each opens what is its own, whatever a file is called, and is asked once.
#include "core/io/formats.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "core/io/write.hpp"
#include "tests/core/io/bdv/bdv_maker.hpp"
#include "tests/core/io/hdf5_maker.hpp"
#include "tests/core/io/imaris/imaris_maker.hpp"
#include "tests/core/io/tiff_maker.hpp"
#include "tests/core/io/volume_checks.hpp"
#include "tests/support/em_maker.hpp"
#include "tests/support/projection_set.hpp"
#include "tests/support/random_apr.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/zarr_maker.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

void make_tiff(const fs::path& path) {
  TiffMaker maker(path, "w");
  for (int z = 0; z < 3; ++z) maker.add({}, std::vector<std::uint16_t>(std::size_t{37} * 29, 258));
}

void make_hdf5(const fs::path& path) {
  const Hdf5Made file(path);
  file.dataset("v", H5T_STD_U16LE, {3, 4, 5}, std::vector<double>(60, 8));
}

void make_apr_file(const fs::path& path) { ASSERT_TRUE(write_apr(random_apr({}), path).ok()); }

void make_mrc(const fs::path& path) {
  EmMaker::mrc({5, 4, 3}, 2, 1.5F).append(std::vector<float>(60, 8)).write(path);
}

void make_spider(const fs::path& path) {
  EmMaker::spider({5, 4, 3}, 3, 0).append(std::vector<float>(60, 8)).write(path);
}

// Its stack lies beside it.
void make_projections(const fs::path& path) {
  write_projection_set(path.parent_path(), {.images = 3, .side = 16});
  fs::rename(path.parent_path() / "molecule.star", path);
}

void make_zarr(const fs::path& path) {
  ZarrArrayMaker<std::uint16_t> made{
      path, {3, 4, 5}, {2, 4, 3}, [](const auto&) { return std::uint16_t{258}; }};
  made.write_2("<u2");
}

void make_slices(const fs::path& path) {
  fs::create_directories(path);
  for (const char* name : {"z1.tif", "z2.tif"}) {
    TiffMaker maker(path / name, "w");
    maker.add({}, std::vector<std::uint16_t>(std::size_t{37} * 29, 258));
  }
}

// Its pixels lie beside it.
void make_bdv(const fs::path& path) {
  const Hdf5Made file(path.parent_path() / "a.h5");
  for (const char* group : {"t00000", "t00000/s00", "t00000/s00/0"}) file.group(group);
  file.dataset("t00000/s00/0/cells", H5T_STD_I16LE, {3, 4, 5}, std::vector<double>(60, 8));
  write_bytes(path, BdvXmlMaker().setup(0, "").text());
}

// Its tiles lie beside it.
void make_tiles(const fs::path& path) {
  for (const char* name : {"tile1.tif", "tile2.tif"}) make_tiff(path.parent_path() / name);
  write_bytes(path, "dim = 3\ntile1.tif; ; (0.0, 0.0, 0.0)\ntile2.tif; ; (20.0, 3.0, 0.0)\n");
}

void make_imaris(const fs::path& path) { ImarisMaker().write(path); }

// What a file of a format may be called; folders go by any name.
std::string name_of(const Format& format) {
  return format.endings.empty() ? "folder" : "file" + format.endings.front();
}

// A small file, or folder, of each format.
const std::map<std::string, std::function<void(const fs::path&)>>& makers() {
  static const std::map<std::string, std::function<void(const fs::path&)>> all{
      {"tiff", make_tiff},     {"hdf5", make_hdf5},
      {"apr", make_apr_file},  {"projections", make_projections},
      {"mrc", make_mrc},       {"spider", make_spider},
      {"bdv", make_bdv},       {"imaris", make_imaris},
      {"slices", make_slices}, {"zarr", make_zarr},
      {"tiles", make_tiles}};
  return all;
}

std::string error_of(const Result<Data>& data) { return data ? "" : data.error().message(); }

TEST(Formats, EachHasAnIdEndingsAndATypeOfItsOwn) {
  std::set<std::string> ids;
  std::set<std::string> endings;
  for (const Format& format : formats()) {
    SCOPED_TRACE(format.id);
    EXPECT_FALSE(format.id.empty());
    EXPECT_TRUE(ids.insert(format.id).second);
    EXPECT_EQ(format_by_id(format.id), &format);
    EXPECT_FALSE(format.name.empty());
    EXPECT_EQ(format.mime_types.empty(), format.folders);
    EXPECT_TRUE(format.folders || !format.endings.empty());
    for (const std::string& ending : format.endings) {
      EXPECT_TRUE(endings.insert(ending).second) << ending;
      EXPECT_EQ(ending.front(), '.');
      EXPECT_TRUE(std::none_of(ending.begin(), ending.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || c == ' ' || c == '*';
      })) << ending;
    }
    EXPECT_EQ(format.slices == nullptr, format.particles || format.id == "projections");
  }
  EXPECT_EQ(format_by_id("gif"), nullptr);
  EXPECT_EQ(format_by_id(""), nullptr);
}

TEST(Formats, EachOpensAFileOfIts) {
  const TemporaryFolder folder;
  for (const Format& format : formats()) {
    SCOPED_TRACE(format.id);
    ASSERT_TRUE(makers().count(format.id)) << "this test makes no such file yet";
    const fs::path path = folder / name_of(format);
    makers().at(format.id)(path);
    const auto info = inspect(path.string());
    ASSERT_TRUE(info.ok()) << info.error().message();
    EXPECT_EQ(info->format_id, format.id);
    EXPECT_EQ(info->is_apr, format.particles);
    const auto data = load(*info);
    ASSERT_TRUE(data.ok()) << data.error().message();
    EXPECT_EQ(std::holds_alternative<Apr>(*data), format.particles);
    const auto slices = open_slices(*info);
    EXPECT_EQ(slices.ok(), format.slices != nullptr);
    if (format.particles) {
      EXPECT_EQ(slices.error().what, "holds particles");
    }
  }
}

TEST(Formats, TheContentBeatsTheEnding) {
  const TemporaryFolder folder;
  SanitizedShare share(3);
  for (const auto& [id, make] : makers()) {
    const fs::path made = folder / ("made" + id);
    make(made);
    for (const Format& other : formats()) {
      for (const std::string& ending : other.endings) {
        if (!share.takes()) continue;
        const fs::path path = folder / ("named" + ending);
        fs::remove_all(path);
        fs::copy(made, path, fs::copy_options::recursive);
        const auto info = inspect(path.string());
        ASSERT_TRUE(info.ok()) << info.error().message();
        EXPECT_EQ(info->format_id, id) << ending;
        EXPECT_TRUE(load(*info).ok()) << ending;
      }
    }
  }
}

// The formats in HDF5 files are told apart by more than a signature.
TEST(Formats, ADatasetThatIsNamedIsOfPixelsBesideParticlesToo) {
  const TemporaryFolder folder;
  const fs::path path = folder / "both.h5";
  {
    const Hdf5Made file(path);
    file.group("ParticleRepr");
    file.dataset("v", H5T_STD_U16LE, {3, 4, 5}, std::vector<double>(60, 8));
  }
  const auto named = inspect(path.string() + ":/v");
  ASSERT_TRUE(named.ok()) << named.error().message();
  EXPECT_EQ(named->format_id, "hdf5");
  EXPECT_TRUE(load(*named).ok());
  auto probe = Probe::open(path, "", {});
  ASSERT_TRUE(probe.ok());
  const auto format = find_format(formats(), *probe);
  ASSERT_TRUE(format.ok());
  EXPECT_EQ((*format)->id, "apr");
  // There is no APR in the group.
  EXPECT_FALSE(inspect(path.string()).ok());
}

TEST(Formats, AFileIsAskedUntilOneSaysYesAndNoFormatTwice) {
  const TemporaryFolder folder;
  std::map<std::string, int> asked;
  std::vector<Format> counting = formats();
  for (Format& format : counting) {
    format.is_it = [&asked, id = format.id, is_it = format.is_it](Probe& probe) {
      ++asked[id];
      return is_it(probe);
    };
  }
  for (std::size_t i = 0; i < counting.size(); ++i) {
    asked.clear();
    const fs::path path = folder / counting[i].id;
    makers().at(counting[i].id)(path);
    auto probe = Probe::open(path, "", {});
    ASSERT_TRUE(probe.ok());
    const auto found = find_format(counting, *probe);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(*found, &counting[i]);
    for (std::size_t k = 0; k < counting.size(); ++k) {
      const bool same_kind = counting[k].folders == counting[i].folders;
      EXPECT_EQ(asked[counting[k].id], k <= i && same_kind ? 1 : 0) << counting[k].id;
    }
  }
}

// Of an Imaris file a dataset that is named, and no other, is HDF5's.
TEST(Formats, HowAnImarisFileIsAskedForDecides) {
  const TemporaryFolder folder;
  const fs::path path = folder / "a.h5";
  make_imaris(path);
  const std::string data = "/DataSet/ResolutionLevel 0/TimePoint 0/Channel 0/Data";
  for (const auto& [asked, id] :
       {std::pair<std::string, std::string>{"", "imaris"}, {"/0", "imaris"}, {data, "hdf5"}}) {
    const auto info = inspect(path.string() + (asked.empty() ? "" : ":" + asked));
    ASSERT_TRUE(info.ok()) << info.error().message();
    EXPECT_EQ(info->format_id, id) << asked;
  }
}

// Each answer takes a process of its own.
TEST(Formats, AnHdf5FileIsOpenedOnceForAllThatAsk) {
  const TemporaryFolder folder;
  make_hdf5(folder / "v.h5");
  auto probe = Probe::open(folder / "v.h5", "", {});
  ASSERT_TRUE(probe.ok());
  EXPECT_EQ(probe->hdf5, nullptr);
  for (const Format& format : formats()) {
    const auto before = probe->hdf5;
    const auto is_it = format.is_it(*probe);
    ASSERT_TRUE(is_it.ok());
    EXPECT_EQ(*is_it, format.id == "hdf5");
    EXPECT_TRUE(before == nullptr || probe->hdf5 == before);
  }
  EXPECT_NE(probe->hdf5, nullptr);
}

TEST(Formats, AFileThatBecameAnotherFormatIsNotReadAsThat) {
  const TemporaryFolder folder;
  const fs::path path = folder / "file";
  for (const auto& [before, make] : makers()) {
    for (const auto& [after, make_other] : makers()) {
      if (before == after) continue;
      SCOPED_TRACE(testing::Message() << before << ", then " << after);
      fs::remove_all(path);
      make(path);
      const auto info = inspect(path.string());
      ASSERT_TRUE(info.ok());
      fs::remove_all(path);
      make_other(path);
      const auto data = load(*info);
      ASSERT_FALSE(data.ok());
      EXPECT_NE(error_of(data).find(path.string()), std::string::npos) << error_of(data);
      EXPECT_FALSE(data.error().what.empty());
      EXPECT_FALSE(data.error().advice.empty());
      EXPECT_FALSE(open_slices(*info).ok());
    }
  }
}

TEST(Formats, WhatNobodyLookedAtIsNotRead) {
  const TemporaryFolder folder;
  make_tiff(folder / "a.tif");
  SourceInfo info;
  info.path = folder / "a.tif";
  for (const char* id : {"", "gif"}) {
    info.format_id = id;
    EXPECT_NE(error_of(load(info)).find("is of no known format"), std::string::npos);
    EXPECT_FALSE(open_slices(info).ok());
  }
}

TEST(Formats, SentencesNameThem) {
  EXPECT_EQ(format_names(),
            "TIFF, HDF5, APR, STAR, MRC, SPIDER, BigDataViewer, Imaris, TIFF slices, OME-Zarr or "
            "tile list");
  EXPECT_EQ(format_list(),
            "TIFF (.tif, .tiff, .ome.tif, .btf), HDF5 (.h5, .hdf5), APR (.apr), "
            "STAR (.star, .xmd, .cs), MRC (.mrc, .map, .mrcs, .ccp4, .mrc.gz, .map.gz, .mrc.bz2, "
            ".map.bz2), "
            "SPIDER (.spi, .stk, .vol), BigDataViewer (.xml), Imaris (.ims), TIFF slices, "
            "OME-Zarr (.zarr, .ome.zarr, .n5), tile list (.txt)");
  EXPECT_EQ(format_names(std::span(formats()).first(1)), "TIFF");
  EXPECT_EQ(format_names({}), "");
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in.good()) << path;
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Formats, KnownKindsThatAreNotReadAreNamedWithWhatToDo) {
  const TemporaryFolder folder;
  const auto error_of = [](const fs::path& path) {
    const auto info = inspect(path.string());
    EXPECT_FALSE(info.ok());
    return info ? std::string() : info.error().message();
  };
  // The head of an archive's first file, and an empty archive.
  for (const std::string head : {"PK\3\4", "PK\5\6"}) {
    write_bytes(folder / "image.zarr.zip", head + std::string(60, '\0'));
    const std::string message = error_of(folder / "image.zarr.zip");
    EXPECT_NE(message.find("image.zarr.zip: is a ZIP archive"), std::string::npos) << message;
    EXPECT_NE(message.find("unpack it, then open the folder"), std::string::npos) << message;
    EXPECT_LE(message.size(), 300U);
  }
  // The manifest of a database as TensorStore 0.1.86 begins it.
  fs::create_directory(folder / "image.ocdbt");
  write_bytes(folder / "image.ocdbt/manifest.ocdbt",
              "\x0c\xdb\x3a\x2a\xbb" + std::string(60, '\0'));
  for (const char* name : {"image.ocdbt", "image.ocdbt/manifest.ocdbt"}) {
    const std::string message = error_of(folder / name);
    EXPECT_NE(message.find("OCDBT database of TensorStore, which is not read"), std::string::npos)
        << message;
    EXPECT_NE(message.find("copy them to plain Zarr"), std::string::npos) << message;
  }
}

TEST(Formats, TheDesktopEntryNamesTheirTypes) {
  std::vector<std::string> types;
  for (const Format& format : formats()) {
    for (const std::string& type : format.mime_types) {
      if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
    }
  }
  std::string wanted = "MimeType=";
  for (const std::string& type : types) wanted += type + ";";
  const auto lines = lines_of(source_dir() / "resources" / "desktop" / "aprscope.desktop");
  EXPECT_EQ(std::count(lines.begin(), lines.end(), wanted), 1) << wanted;
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                          [](const std::string& line) { return line.starts_with("MimeType"); }),
            1);
}

// "| TIFF | what is read | what is written |", or the ending in the first place.
TEST(Formats, ThePageTellsWhatIsReadOfEach) {
  const auto lines = lines_of(source_dir() / "resources" / "docs" / "formats.md");
  for (const Format& format : formats()) {
    const auto tells = [&](const std::string& line) {
      const bool named =
          line.starts_with("| " + format.name + " |") ||
          (!format.endings.empty() && line.starts_with("| `" + format.endings.front() + "` |"));
      return named && line.find("| –", 2) != line.find('|', 2);
    };
    EXPECT_EQ(std::count_if(lines.begin(), lines.end(), tells), 1) << format.name;
  }
}

}  // namespace
}  // namespace aprscope::test
