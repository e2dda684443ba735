#include "core/base/memory_end.hpp"

#include <new>
#include <stdexcept>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

// What a destructor does that takes memory where there is none.
template <class E>
void throw_where_nobody_may(const E& error) noexcept {
  throw error;  // NOLINT(bugprone-exception-escape): the point of it
}

TEST(MemoryEnd, IsASentenceAndExitCodeOne) {
  EXPECT_EXIT(
      {
        end_with_a_sentence_without_memory("program");
        throw_where_nobody_may(std::bad_alloc());
      },
      ::testing::ExitedWithCode(1), "^program: there is not enough memory; [^\n]*\n$");
}

TEST(MemoryEnd, OtherExceptionsAbortAsBefore) {
  EXPECT_EXIT(
      {
        end_with_a_sentence_without_memory("program");
        throw_where_nobody_may(std::runtime_error("else"));
      },
      ::testing::KilledBySignal(SIGABRT), "");
}

}  // namespace
}  // namespace aprscope
