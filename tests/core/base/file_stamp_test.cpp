#include "core/base/file_stamp.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

TEST(FileStamp, IsLengthAndCrc32) {
  const test::TemporaryFolder folder;
  write(folder / "a", "123456789");
  const auto stamp = stamp_of(folder / "a");
  ASSERT_TRUE(stamp.ok()) << stamp.error().message();
  // The check value of CRC-32 (ISO 3309).
  EXPECT_EQ(*stamp, (FileStamp{9, 0xCBF43926U}));
  write(folder / "empty", "");
  EXPECT_EQ(*stamp_of(folder / "empty"), FileStamp{});
}

TEST(FileStamp, TellsFilesOfOneSizeApartWhereverTheyDiffer) {
  const test::TemporaryFolder folder;
  // More than one piece is read at once.
  std::string text(3'000'001, 'x');
  write(folder / "a", text);
  const auto first = stamp_of(folder / "a");
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first->bytes, text.size());
  for (const std::size_t at : {std::size_t{0}, std::size_t{1'500'000}, text.size() - 1}) {
    std::string other = text;
    other[at] = 'y';
    write(folder / "a", other);
    EXPECT_NE(*stamp_of(folder / "a"), *first);
  }
  write(folder / "a", text);
  EXPECT_EQ(*stamp_of(folder / "a"), *first);
}

TEST(FileStamp, ErrorsNameTheFile) {
  const test::TemporaryFolder folder;
  for (const auto& path : {folder / "none", folder.path()}) {
    const auto stamp = stamp_of(path);
    ASSERT_FALSE(stamp.ok());
    EXPECT_NE(stamp.error().message().find(path.string()), std::string::npos);
  }
  write(folder / "a", "x");
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = stamp_of(folder / "a", JobContext(stop.get_token()));
  EXPECT_TRUE(!stopped.ok() && stopped.error().cancelled());
}

}  // namespace
}  // namespace aprscope
