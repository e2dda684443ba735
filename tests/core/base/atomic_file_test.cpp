#include "core/base/atomic_file.hpp"

#include <array>
#include <fstream>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>
#include <signal.h>  // NOLINT: kill is POSIX, not <csignal>
#include <sys/stat.h>
#include <sys/wait.h>
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

mode_t mode_of(const fs::path& path) {
  struct stat facts {};
  EXPECT_EQ(::stat(path.c_str(), &facts), 0) << path;
  return facts.st_mode & 07777;
}

TEST(AtomicFile, TemporaryIsItsOwnersAloneAndHasAnotherNameEachTime) {
  const test::TemporaryFolder folder;
  std::set<std::string> names;
  for (int i = 0; i < 20; ++i) {
    const Status done = write_atomically(folder / "a.tif", [&](const fs::path& path) -> Status {
      EXPECT_EQ(mode_of(path), 0600U);
      EXPECT_EQ(path.extension(), ".tif");
      EXPECT_EQ(path.parent_path(), folder.path());
      names.insert(path.filename().string());
      return {};
    });
    ASSERT_TRUE(done.ok());
  }
  EXPECT_EQ(names.size(), 20U);
  // No process number, no counter: what differs is long, and differs nearly everywhere.
  const std::string& first = *names.begin();
  const std::string& last = *names.rbegin();
  ASSERT_EQ(first.size(), last.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < first.size(); ++i) different += first[i] != last[i] ? 1 : 0;
  EXPECT_GE(different, 12U);
}

TEST(AtomicFile, ReplacingKeepsTheRights) {
  const test::TemporaryFolder folder;
  for (const mode_t mode : {0600U, 0640U, 0664U, 0755U, 0444U}) {
    ASSERT_TRUE(write_text_atomically(folder / "a.txt", "old").ok());
    ASSERT_EQ(::chmod((folder / "a.txt").c_str(), mode), 0);
    ASSERT_TRUE(write_text_atomically(folder / "a.txt", "new").ok());
    EXPECT_EQ(mode_of(folder / "a.txt"), mode);
    EXPECT_EQ(*read_text(folder / "a.txt"), "new");
  }
}

TEST(AtomicFile, NewFileHasTheRightsThatTheUserGivesNewFiles) {
  const test::TemporaryFolder folder;
  const mode_t before = ::umask(027);
  EXPECT_TRUE(write_text_atomically(folder / "a.txt", "x").ok());
  ::umask(0);
  EXPECT_TRUE(write_text_atomically(folder / "b.txt", "x").ok());
  ::umask(before);
  EXPECT_EQ(mode_of(folder / "a.txt"), 0640U);
  EXPECT_EQ(mode_of(folder / "b.txt"), 0666U);
}

TEST(AtomicFile, LinksAreFollowed) {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "elsewhere");
  ASSERT_TRUE(write_text_atomically(folder / "elsewhere" / "a.txt", "old").ok());
  fs::create_symlink("elsewhere/a.txt", folder / "link.txt");
  fs::create_symlink(folder / "link.txt", folder / "link of link.txt");
  ASSERT_TRUE(write_atomically(folder / "link of link.txt", [&](const fs::path& path) -> Status {
                // Beside the file, so that renaming it is possible and atomic.
                EXPECT_EQ(fs::canonical(path.parent_path()), fs::canonical(folder / "elsewhere"));
                std::ofstream(path) << "new";
                return {};
              }).ok());
  EXPECT_TRUE(fs::is_symlink(folder / "link.txt"));
  EXPECT_TRUE(fs::is_symlink(folder / "link of link.txt"));
  EXPECT_FALSE(fs::is_symlink(folder / "elsewhere" / "a.txt"));
  EXPECT_EQ(*read_text(folder / "elsewhere" / "a.txt"), "new");
}

TEST(AtomicFile, LinksThatLeadNowhereLeadToANewFile) {
  const test::TemporaryFolder folder;
  fs::create_symlink("new.txt", folder / "dangling.txt");
  ASSERT_TRUE(write_text_atomically(folder / "dangling.txt", "x").ok());
  EXPECT_TRUE(fs::is_symlink(folder / "dangling.txt"));
  EXPECT_EQ(*read_text(folder / "new.txt"), "x");
  fs::create_symlink("missing/new.txt", folder / "far.txt");
  const Status far = write_text_atomically(folder / "far.txt", "x");
  ASSERT_FALSE(far.ok());
  EXPECT_NE(far.error().message().find("missing"), std::string::npos);
  fs::create_symlink("ring2.txt", folder / "ring1.txt");
  fs::create_symlink("ring1.txt", folder / "ring2.txt");
  const Status ring = write_text_atomically(folder / "ring1.txt", "x");
  ASSERT_FALSE(ring.ok());
  EXPECT_NE(ring.error().message().find("ring1.txt"), std::string::npos);
  EXPECT_EQ(files_in(folder.path()), 5U);
}

TEST(AtomicFile, WhatIsNoRegularFileIsNotReplaced) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/null", folder / "null");
  fs::create_symlink("/proc/self/fd/1", folder / "out");
  for (const char* name : {"pipe", "null"}) {
    const Status refused = write_text_atomically(folder / name, "x");
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message().find("is not a regular file"), std::string::npos);
  }
  EXPECT_TRUE(fs::is_fifo(folder / "pipe"));
  EXPECT_EQ(files_in(folder.path()), 3U);
}

TEST(AtomicFile, LongNamesWork) {
  const test::TemporaryFolder folder;
  std::string umlauts;
  for (int i = 0; i < 125; ++i) umlauts += "\u00e4";
  for (const std::string& name :
       {std::string(255, 'x'), std::string(251, 'x') + ".tif", umlauts + "y.apr",
        "y" + umlauts + ".apr", "a." + std::string(253, 'e')}) {
    ASSERT_EQ(name.size(), 255U);
    std::string temporary;
    const Status done = write_atomically(folder / name, [&](const fs::path& path) -> Status {
      temporary = path.filename().string();
      std::ofstream(path) << "x";
      return {};
    });
    ASSERT_TRUE(done.ok()) << done.error().message();
    EXPECT_EQ(*read_text(folder / name), "x");
    EXPECT_LE(temporary.size(), 255U);
    // Valid UTF-8: an umlaut is never cut in two.
    for (std::size_t i = 0; i < temporary.size(); ++i) {
      if (temporary[i] == '\xc3') {
        EXPECT_EQ(temporary.at(i + 1), '\xa4');
      }
    }
  }
  EXPECT_EQ(files_in(folder.path()), 5U);
  bool asked = false;
  const Status too_long =
      write_atomically(folder / std::string(256, 'x'), [&](const fs::path&) -> Status {
        asked = true;
        return {};
      });
  EXPECT_FALSE(too_long.ok());
  EXPECT_FALSE(asked) << "after a long computation is too late";
}

TEST(AtomicFile, AnotherFileInPlaceOfTheTemporaryIsNotTaken) {
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_text_atomically(folder / "a.txt", "old").ok());
  const Status done = write_atomically(folder / "a.txt", [](const fs::path& path) -> Status {
    fs::remove(path);
    std::ofstream(path) << "planted";
    return {};
  });
  EXPECT_FALSE(done.ok());
  EXPECT_EQ(*read_text(folder / "a.txt"), "old");
}

// A process that writes to a target, says so, and waits until it is told to go on.
class Writer {
 public:
  explicit Writer(const fs::path& target) {
    EXPECT_EQ(::pipe(ready_.data()), 0);
    EXPECT_EQ(::pipe(go_.data()), 0);
    child_ = ::fork();
    if (child_ == 0) {
      const Status done = write_atomically(target, [&](const fs::path& path) -> Status {
        std::ofstream(path) << "of the other";
        char byte = 'r';
        return ::write(ready_[1], &byte, 1) == 1 && ::read(go_[0], &byte, 1) == 1
                   ? Status()
                   : Error{"", "", ""};
      });
      ::_exit(done.ok() ? 0 : 1);
    }
    char byte = 0;
    EXPECT_EQ(::read(ready_[0], &byte, 1), 1);
  }
  ~Writer() {
    for (const int fd : {ready_[0], ready_[1], go_[0], go_[1]}) ::close(fd);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  void kill() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  int go_on() {
    const char byte = 'g';
    EXPECT_EQ(::write(go_[1], &byte, 1), 1);
    int state = 0;
    ::waitpid(child_, &state, 0);
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
  }

 private:
  std::array<int, 2> ready_{};
  std::array<int, 2> go_{};
  pid_t child_ = -1;
};

TEST(AtomicFile, WhatAKilledProcessLeftGoesWithTheNextWriteToThatName) {
  const test::TemporaryFolder folder;
  for (int i = 0; i < 3; ++i) Writer(folder / "a.txt").kill();
  Writer(folder / "b.txt").kill();
  std::ofstream(folder / ".a.0123.part.txt") << "not ours";
  EXPECT_EQ(files_in(folder.path()), 3U);  // each writer removed what the one before had left
  ASSERT_TRUE(write_text_atomically(folder / "a.txt", "x").ok());
  EXPECT_EQ(files_in(folder.path()), 3U);  // a.txt, what writing b.txt left, and what is not ours
  EXPECT_TRUE(fs::exists(folder / ".a.0123.part.txt"));
  ASSERT_TRUE(write_text_atomically(folder / "b.txt", "x").ok());
  EXPECT_EQ(files_in(folder.path()), 3U);
}

TEST(AtomicFile, WhatALivingProcessWritesIsLeftToIt) {
  const test::TemporaryFolder folder;
  Writer other(folder / "a.txt");
  ASSERT_TRUE(write_text_atomically(folder / "a.txt", "mine").ok());
  EXPECT_EQ(files_in(folder.path()), 2U);
  EXPECT_EQ(other.go_on(), 0);
  EXPECT_EQ(*read_text(folder / "a.txt"), "of the other");
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(ReadText, RefusesMissingAndLargeFiles) {
  const test::TemporaryFolder folder;
  EXPECT_FALSE(read_text(folder / "none").ok());
  ASSERT_TRUE(write_text_atomically(folder / "a.txt", "12345").ok());
  EXPECT_FALSE(read_text(folder / "a.txt", 4).ok());
}

}  // namespace
}  // namespace aprscope
