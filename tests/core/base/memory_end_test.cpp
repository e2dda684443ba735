#include "core/base/memory_end.hpp"

#include <new>
#include <stdexcept>

#include <gtest/gtest.h>

namespace aprscope {
namespace {

// What a destructor does that takes memory where there is none.
void call_where_nobody_may_throw(void (*throws)()) noexcept { throws(); }

template <class E>
void throw_one() {
  throw E("what");
}
template <>
void throw_one<std::bad_alloc>() {
  throw std::bad_alloc();
}

TEST(MemoryEnd, IsASentenceAndExitCodeOne) {
  EXPECT_EXIT(
      {
        end_with_a_sentence_without_memory("program");
        call_where_nobody_may_throw(throw_one<std::bad_alloc>);
      },
      ::testing::ExitedWithCode(1), "^program: there is not enough memory; [^\n]*\n$");
}

TEST(MemoryEnd, OtherExceptionsAbortAsBefore) {
  EXPECT_EXIT(
      {
        end_with_a_sentence_without_memory("program");
        call_where_nobody_may_throw(throw_one<std::runtime_error>);
      },
      ::testing::KilledBySignal(SIGABRT), "");
}

}  // namespace
}  // namespace aprscope
