#include "core/io/common/read_files.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

class ReadFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"a", "b"}) {
      write(folder_ / name, "some bytes");
      ASSERT_TRUE(files_.note(name, *state_of(folder_ / name)).ok());
    }
    ASSERT_TRUE(files_.note("none", std::nullopt).ok());
  }

  TemporaryFolder folder_;
  ReadFiles files_{folder_.path()};
};

TEST_F(ReadFilesTest, FilesThatStayTheSameAreUnchanged) {
  EXPECT_EQ(files_.count(), 3U);
  EXPECT_TRUE(files_.unchanged().ok());
  // Once more is no other file.
  EXPECT_TRUE(files_.note("a", *state_of(folder_ / "a")).ok());
  EXPECT_EQ(files_.count(), 3U);
}

TEST_F(ReadFilesTest, TheFileThatChangedIsNamed) {
  write(folder_ / "new", "other");
  fs::rename(folder_ / "new", folder_ / "b");
  const Status changed = files_.unchanged();
  ASSERT_FALSE(changed.ok());
  EXPECT_EQ(changed.error().where, (folder_ / "b").string());
  EXPECT_NE(changed.error().what.find("replaced"), std::string::npos);
  // Of the last one alone.
  EXPECT_TRUE(files_.unchanged(2).ok());
  EXPECT_FALSE(files_.note("b", *state_of(folder_ / "b")).ok());
}

TEST_F(ReadFilesTest, AFileThatWasNotThereIsNoticed) {
  write(folder_ / "none", "late");
  const Status changed = files_.unchanged(2);
  ASSERT_FALSE(changed.ok());
  EXPECT_EQ(changed.error().where, (folder_ / "none").string());
  EXPECT_NE(changed.error().what.find("was made"), std::string::npos);
}

TEST_F(ReadFilesTest, AFileThatWentIsNoticed) {
  fs::remove(folder_ / "a");
  const Status changed = files_.unchanged();
  ASSERT_FALSE(changed.ok());
  EXPECT_NE(changed.error().what.find("removed"), std::string::npos);
}

}  // namespace
}  // namespace aprscope::test
