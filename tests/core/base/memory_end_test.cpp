#include "core/base/memory_end.hpp"

#include <functional>
#include <new>
#include <stdexcept>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace aprscope
