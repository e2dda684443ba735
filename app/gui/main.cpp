#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include "app/gui/application.hpp"
#include "core/base/memory_end.hpp"

namespace {

// Threads that wait for work must not take the processor from what draws the window. OpenMP reads
// this before main begins, so begin again; if that fails, the window is only less fluent.
void begin_again_with_passive_threads(char** arguments) {
  constexpr const char* kPolicy = "OMP_WAIT_POLICY";
  if (std::getenv(kPolicy) != nullptr) return;
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  // A loader that was called with this program as its argument is not this program.
  if (failed || program.filename() != std::filesystem::path(arguments[0]).filename()) return;
  if (setenv(kPolicy, "passive", 0) == 0) execv(program.c_str(), arguments);
}

}  // namespace

int main(int argc, char** argv) {
  aprscope::end_with_a_sentence_without_memory("aprscope");
  if (argc > 0) begin_again_with_passive_threads(argv);
  return aprscope::gui::run(argc, argv);
}
