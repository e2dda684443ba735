#include "core/base/regular_file.hpp"

#include <chrono>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/paths.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

TEST(RegularFile, IsReadThroughLinks) {
  const test::TemporaryFolder folder;
  write(folder / "a", "0123456789");
  fs::create_symlink("a", folder / "link");
  const auto file = open_regular(folder / "link");
  ASSERT_TRUE(file.ok()) << file.error().message();
  char bytes[8] = {};
  const auto got = file->read_at(2, bytes, 4);
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(*got, 4U);
  EXPECT_STREQ(bytes, "2345");
  // Fewer at the end, none behind it.
  EXPECT_EQ(*file->read_at(8, bytes, 8), 2U);
  EXPECT_EQ(*file->read_at(100, bytes, 8), 0U);
}

TEST(RegularFile, NothingElseIsOpenedAndNothingWaits) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  fs::create_symlink("fifo", folder / "fifo-link");
  fs::create_symlink("/dev/zero", folder / "zero-link");
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const std::string name = folder / "socket";
  ASSERT_LT(name.size(), sizeof address.sun_path);
  std::memcpy(address.sun_path, name.c_str(), name.size());
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  const auto begin = std::chrono::steady_clock::now();
  for (const fs::path& path : {folder / "fifo", folder / "fifo-link", folder / "zero-link",
                               fs::path("/dev/tty"), folder / "socket"}) {
    const auto file = open_regular(path);
    ASSERT_FALSE(file.ok()) << path;
    EXPECT_EQ(file.error().what, "is not a regular file") << path;
    EXPECT_EQ(file.error().where, path.string());
    EXPECT_FALSE(state_of(path).ok());
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  ::close(socket);
  EXPECT_EQ(open_regular(folder.path()).error().what, "is a folder");
  EXPECT_EQ(open_regular(folder / "none").error().what, "does not exist");
}

TEST(RegularFile, StateTellsReplacedWrittenAndCutOff) {
  const test::TemporaryFolder folder;
  write(folder / "a", "0123456789");
  const auto file = open_regular(folder / "a");
  ASSERT_TRUE(file.ok());
  const auto before = file->state();
  ASSERT_TRUE(before.ok());
  EXPECT_EQ(before->bytes, 10U);
  EXPECT_EQ(*before, *state_of(folder / "a"));
  // Written to, at one size: the time of modification tells.
  const timespec times[2] = {{0, UTIME_OMIT}, {1'000'000'000, 1}};
  ASSERT_EQ(::utimensat(AT_FDCWD, (folder / "a").c_str(), times, 0), 0);
  EXPECT_NE(*file->state(), *before);
  EXPECT_EQ(file->state()->modified_ns, 1'000'000'000'000'000'001);
  // Replaced: the name leads to another file, what is open stays.
  const auto own = file->state();
  write(folder / "b", "0123456789");
  ASSERT_EQ(::utimensat(AT_FDCWD, (folder / "b").c_str(), times, 0), 0);
  fs::rename(folder / "b", folder / "a");
  EXPECT_EQ(*file->state(), *own);
  EXPECT_NE(*state_of(folder / "a"), *own);
  // Cut off.
  fs::resize_file(folder / "a", 3);
  EXPECT_EQ(state_of(folder / "a")->bytes, 3U);
}

TEST(RegularFile, ClosesItselfOnceAndCanBeMoved) {
  const test::TemporaryFolder folder;
  write(folder / "a", "x");
  int number = -1;
  {
    auto file = open_regular(folder / "a");
    ASSERT_TRUE(file.ok());
    number = file->get();
    const RegularFile moved = std::move(*file);
    EXPECT_EQ(moved.get(), number);
    EXPECT_EQ(file->get(), -1);
    EXPECT_EQ(moved.path(), folder / "a");
  }
  char byte = 0;
  EXPECT_EQ(::pread(number, &byte, 1, 0), -1);
}

}  // namespace
}  // namespace aprscope
