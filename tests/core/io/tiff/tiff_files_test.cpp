// What is known of the files of a set when their turn comes again.
#include "core/io/tiff/tiff_files.hpp"

#include <gtest/gtest.h>

#include "tests/core/io/tiff_maker.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

// More files than stay open, each of `pages` pages.
constexpr std::size_t kFiles = 9;

void write_file(const fs::path& path, int pages) {
  PageSpec spec;
  spec.cols = 5;
  spec.rows = 4;
  spec.bits = 8;
  TiffMaker maker(path, "w");
  for (int p = 0; p < pages; ++p) maker.add(spec, std::vector<std::uint8_t>(20));
}

TiffFiles files_in(const TemporaryFolder& folder, int pages) {
  std::vector<std::string> others;
  for (std::size_t i = 0; i < kFiles; ++i) {
    const std::string name = std::to_string(i) + ".tif";
    write_file(folder / name, pages);
    if (i > 0) others.push_back(name);
  }
  TiffFiles files(folder / "0.tif");
  files.set_others(others);
  return files;
}

TEST(TiffFiles, PagesAreReadOnce) {
  const TemporaryFolder folder;
  TiffFiles files = files_in(folder, 3);
  std::vector<std::shared_ptr<const TiffPages>> pages;
  for (std::size_t i = 0; i < kFiles; ++i) {
    const auto file = files.open(i, {});
    ASSERT_TRUE(file.ok()) << file.error().message();
    EXPECT_EQ((*file)->pages->pages.size(), 3U);
    pages.push_back((*file)->pages);
  }
  auto other = files.another();
  ASSERT_TRUE(other.ok());
  for (TiffFiles* which : {&files, &*other}) {
    for (std::size_t i = 0; i < kFiles; ++i) {
      const auto file = which->open(i, {});
      ASSERT_TRUE(file.ok()) << file.error().message();
      EXPECT_EQ((*file)->pages, pages[i]) << i;
    }
  }
}

TEST(TiffFiles, AFileThatWasReplacedIsAnErrorWhenItIsOpenedAgain) {
  for (const int pages : {1, 3}) {
    const TemporaryFolder folder;
    TiffFiles files = files_in(folder, pages);
    for (std::size_t i = 0; i < kFiles; ++i) ASSERT_TRUE(files.open(i, {}).ok());
    write_file(folder / "new.tif", pages);
    fs::rename(folder / "new.tif", folder / "2.tif");
    auto other = files.another();
    ASSERT_TRUE(other.ok());
    for (TiffFiles* which : {&files, &*other}) {
      EXPECT_TRUE(which->open(1, {}).ok());
      const auto replaced = which->open(2, {});
      ASSERT_FALSE(replaced.ok());
      EXPECT_NE(replaced.error().message().find("2.tif: was removed or replaced"),
                std::string::npos)
          << replaced.error().message();
    }
  }
}

}  // namespace
}  // namespace aprscope::test
