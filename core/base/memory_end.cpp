#include "core/base/memory_end.hpp"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include <unistd.h>

namespace aprscope {
namespace {

const char* name = "aprscope";

// Takes no memory.
void say(const char* text) {
  if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

[[noreturn]] void end() {
  try {
    if (const auto error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    say(name);
    say(": there is not enough memory; close other programs or use smaller data.\n");
    ::_exit(1);
  } catch (...) {
    std::abort();
  }
  std::abort();
}

}  // namespace

void end_with_a_sentence_without_memory(const char* program) {
  name = program;
  std::set_terminate(end);
}

}  // namespace aprscope
