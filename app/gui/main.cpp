#include <cstdlib>

#include <unistd.h>

#include "app/gui/application.hpp"

int main(int argc, char** argv) {
  // Threads that wait for work must not take the processor from what draws the window. OpenMP reads
  // this before main begins, so begin again; if that fails, the window is only less fluent.
  constexpr const char* kPolicy = "OMP_WAIT_POLICY";
  if (std::getenv(kPolicy) == nullptr && setenv(kPolicy, "passive", 0) == 0) {
    execv("/proc/self/exe", argv);
  }
  return aprscope::gui::run(argc, argv);
}
