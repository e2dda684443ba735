#include "core/base/atomic_file.hpp"

#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(AtomicFile, ReplacesOnSuccess) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_text_atomically(folder / "a.txt", "old").ok());
  ASSERT_TRUE(write_text_atomically(folder / "a.txt", "new").ok());
  EXPECT_EQ(*read_text(folder / "a.txt"), "new");
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(AtomicFile, FailureLeavesWhatWasThere) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_text_atomically(folder / "a.txt", "old").ok());
  const Status failed = write_atomically(folder / "a.txt", [](const fs::path& path) -> Status {
    std::ofstream(path) << "half";
    return Error{"disk is full", path.string(), ""};
  });
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(*read_text(folder / "a.txt"), "old");
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(AtomicFile, ExceptionLeavesNoTemporaryFile) {
  const test::TemporaryFolder folder;
  EXPECT_THROW((void)write_atomically(folder / "a.txt",
                                      [](const fs::path& path) -> Status {
                                        std::ofstream(path) << "half";
                                        throw std::runtime_error("boom");
                                      }),
               std::runtime_error);
  EXPECT_EQ(files_in(folder.path()), 0U);
}

TEST(AtomicFile, BadTargetsAreNamed) {
  const test::TemporaryFolder folder;
  const Status missing = write_text_atomically(folder / "no" / "a.txt", "x");
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().message().find((folder / "no").string()), std::string::npos);
  const Status is_folder = write_text_atomically(folder.path(), "x");
  ASSERT_FALSE(is_folder.ok());
  EXPECT_NE(is_folder.error().message().find("is a folder"), std::string::npos);
}

TEST(AtomicFile, NoPermissionIsAnError) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const test::TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec);
  const Status refused = write_text_atomically(folder / "a.txt", "x");
  fs::permissions(folder.path(), fs::perms::owner_all);
  EXPECT_FALSE(refused.ok());
}

TEST(ReadText, RefusesMissingAndLargeFiles) {
  const test::TemporaryFolder folder;
  EXPECT_FALSE(read_text(folder / "none").ok());
  ASSERT_TRUE(write_text_atomically(folder / "a.txt", "12345").ok());
  EXPECT_FALSE(read_text(folder / "a.txt", 4).ok());
}

}  // namespace
}  // namespace aprscope
