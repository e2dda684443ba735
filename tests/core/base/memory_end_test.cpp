#include "core/base/memory_end.hpp"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <functional>
#include <new>
#include <stdexcept>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace aprscope {
namespace {

// As a destructor is called, which takes memory where there is none.
void where_nobody_may_throw(const std::function<void()>& act) noexcept { act(); }

TEST(MemoryEnd, IsASentenceAndExitCodeOne) {
  EXPECT_EXIT(
      {
        end_with_a_sentence_without_memory("program");
        where_nobody_may_throw([] { throw std::bad_alloc(); });
      },
      ::testing::ExitedWithCode(1), "^program: there is not enough memory; [^\n]*\n$");
}

TEST(MemoryEnd, OtherExceptionsAbortAsBefore) {
  EXPECT_EXIT(
      {
        end_with_a_sentence_without_memory("program");
        where_nobody_may_throw([] { throw std::runtime_error("else"); });
      },
      ::testing::KilledBySignal(SIGABRT), "");
}

[[noreturn]] void end_without_any_memory() {
  end_with_a_sentence_without_memory("program");
  ::rlimit none{};
  ::setrlimit(RLIMIT_AS, &none);
  for (std::size_t bytes = std::size_t{1} << 26U; bytes >= 16; bytes /= 2) {
    while (volatile auto* const taken = static_cast<char*>(std::malloc(bytes))) *taken = 1;
  }
  std::terminate();
}

// The runtime keeps some memory for exceptions; where it could not have that, nothing is thrown.
TEST(MemoryEnd, IsASentenceWhereNotEvenAnExceptionFits) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer's memory cannot be limited";
#endif
  EXPECT_EXIT(end_without_any_memory(), ::testing::ExitedWithCode(1),
              "^program: there is not enough memory; [^\n]*\n$");
}

TEST(MemoryEnd, WithoutAnExceptionItAbortsAsBefore) {
  EXPECT_EXIT(
      {
        end_with_a_sentence_without_memory("program");
        std::terminate();
      },
      ::testing::KilledBySignal(SIGABRT), "");
}

}  // namespace
}  // namespace aprscope
