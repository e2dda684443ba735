#include "app/cli/interrupt.hpp"

#include <ctime>
#include <system_error>

#include <pthread.h>
#include <signal.h>  // NOLINT: sigtimedwait is POSIX, not <csignal>

namespace aprscope::cli {

InterruptWatcher::InterruptWatcher() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  // A full pipe or a file-size limit is an error to report, not a reason to die.
  signal(SIGXFSZ, SIG_IGN);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // Where no thread can be started the signals end the program, as they do others.
  try {
    watcher_ = std::jthread([this, signals](const std::stop_token& ending) {
      // Waiting for a signal in a thread may call anything; a signal handler may not.
      const timespec moment{0, 50'000'000};
      while (!ending.stop_requested()) {
        if (sigtimedwait(&signals, nullptr, &moment) > 0) source_.request_stop();
      }
    });
  } catch (const std::system_error&) {
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  }
}

}  // namespace aprscope::cli
