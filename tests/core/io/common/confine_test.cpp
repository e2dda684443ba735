#include "core/io/common/confine.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <memory>
#include <new>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace aprscope::test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// What a confined process says about an attempt: 'y' when it succeeded, 'n' when not, nothing when
// it ended.
std::string attempt(const std::function<bool()>& act) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  const int input = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  const pid_t child = ::fork();
  if (child == 0) {
    confine(input, ends[1], 64U << 20U);
    const char said = act() ? 'y' : 'n';
    if (::write(ends[1], &said, 1) != 1) ::_exit(1);
    ::_exit(0);
  }
  ::close(ends[1]);
  ::close(input);
  char said = 0;
  const ssize_t got = ::read(ends[0], &said, 1);
  ::close(ends[0]);
  int state = 0;
  EXPECT_EQ(::waitpid(child, &state, 0), child);
  return got == 1 ? std::string(1, said) : "";
}

TEST(Confine, WhatIsLeftIsReadingAndMemory) {
  EXPECT_EQ(attempt([] { return true; }), "y");
  EXPECT_EQ(attempt([] {
              char byte = 0;
              for (int fd = 3; fd < 64; ++fd) {
                if (::pread(fd, &byte, 1, 0) == 1) return byte == 0x7F;
              }
              return false;
            }),
            "y");
  EXPECT_EQ(attempt([] {
              const std::unique_ptr<char[]> memory(new (std::nothrow) char[20U << 20U]);
              if (memory == nullptr) return false;
              std::memset(memory.get(), 1, 20U << 20U);
              return true;
            }),
            "y");
}

TEST(Confine, NoOtherDescriptorIsOpen) {
  EXPECT_EQ(attempt([] { return ::fcntl(0, F_GETFD) >= 0 || ::fcntl(2, F_GETFD) >= 0; }), "n");
}

TEST(Confine, TheRestIsRefused) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer needs more system calls than are left";
  EXPECT_EQ(attempt([] { return ::open("/etc/passwd", O_RDONLY) >= 0; }), "n");
  EXPECT_EQ(attempt([] { return ::open("/tmp/confined", O_WRONLY | O_CREAT, 0600) >= 0; }), "n");
  EXPECT_EQ(attempt([] { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0; }), "n");
  EXPECT_EQ(attempt([] { return ::fork() >= 0; }), "n");
  EXPECT_EQ(attempt([] { return ::kill(::getppid(), 0) == 0; }), "n");
  EXPECT_EQ(attempt([] { return ::execl("/bin/true", "true", nullptr) == 0; }), "n");
  EXPECT_EQ(attempt([] { return ::unlink("/tmp/confined") == 0 || errno != EPERM; }), "n");
  // More memory than was allowed.
  EXPECT_EQ(attempt([] {
              const std::unique_ptr<char[]> memory(new (std::nothrow) char[256U << 20U]);
              return memory != nullptr;
            }),
            "n");
}

TEST(Confine, LoopsEnd) {
  EXPECT_EQ(attempt([] {
              end_after(0.1);
              volatile bool forever = true;
              while (forever) {
              }
              return true;
            }),
            "");
}

}  // namespace
}  // namespace aprscope::test
