#include "core/base/memory_end.hpp"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include <unistd.h>

namespace aprscope {
namespace {

const char* program_name = "aprscope";

// Writes to stderr without taking memory.
void say(const char* text) {
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

[[noreturn]] void end_without_memory() {
  say(program_name);
  say(": there is not enough memory; close other programs or use smaller data.\n");
  ::_exit(1);
}

// If even the exception object cannot be allocated, current_exception() is empty: ask malloc().
bool is_memory_left() {
  constexpr std::size_t kSome = std::size_t{1} << 16U;
  void* const some = std::malloc(kSome);
  if (some == nullptr) return false;
  // Written to, so that no compiler optimises the allocation away.
  *static_cast<volatile char*>(some) = 1;
  std::free(some);
  return true;
}

[[noreturn]] void end() {
  try {
    if (const auto error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    end_without_memory();
  } catch (...) {
    std::abort();
  }
  if (!is_memory_left()) end_without_memory();
  std::abort();
}

}  // namespace

void end_with_a_sentence_without_memory(const char* program) {
  program_name = program;
  std::set_terminate(end);
}

}  // namespace aprscope
