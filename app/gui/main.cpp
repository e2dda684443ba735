#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include "app/gui/application.hpp"
#include "core/base/memory_end.hpp"

namespace {

// OpenMP threads that wait actively would slow down the drawing of the window. OpenMP reads its
// settings before main(), so restart with others; if that fails, the window is only less fluent.
void begin_again_with_passive_threads(char** arguments) {
  constexpr const char* kPolicy = "OMP_WAIT_POLICY";
  if (std::getenv(kPolicy) != nullptr) return;
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  // If a loader was started with this program as an argument, the executable is the loader.
  if (failed || program.filename() != std::filesystem::path(arguments[0]).filename()) return;
  if (setenv(kPolicy, "passive", 0) == 0) execv(program.c_str(), arguments);
}

}  // namespace

int main(int argc, char** argv) {
  aprscope::end_with_a_sentence_without_memory("aprscope");
  if (argc > 0) begin_again_with_passive_threads(argv);
  return aprscope::gui::run(argc, argv);
}
