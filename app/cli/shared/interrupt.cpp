#include "app/cli/shared/interrupt.hpp"

#include <chrono>
#include <ctime>
#include <string>
#include <system_error>
#include <utility>

#include <pthread.h>
#include <signal.h>  // NOLINT: sigtimedwait is POSIX, not <csignal>
#include <unistd.h>

#include "core/base/process.hpp"
#include "core/base/temporary.hpp"

namespace aprscope::cli {
namespace {

// The time that a job has to notice a stop request and to clean up.
constexpr std::chrono::milliseconds kPatience{250};

}  // namespace

InterruptWatcher::InterruptWatcher(Error on_term) : on_term_(std::move(on_term)) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  // A full pipe or a file-size limit is an error to report, not a reason to die.
  signal(SIGXFSZ, SIG_IGN);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // If no thread can be started, signals end the program at once, as by default.
  try {
    watcher_ = std::jthread([this, signals](const std::stop_token& ending) {
      // The thread that waits for signals may call any function; a signal handler may not.
      const timespec moment{0, 20'000'000};
      std::chrono::steady_clock::time_point asked;
      while (!ending.stop_requested()) {
        const int got = sigtimedwait(&signals, nullptr, &moment);
        const bool signalled = got > 0;
        const auto now = std::chrono::steady_clock::now();
        if (source_.stop_requested()) {
          const bool waits = patient_ || settled_;
          if (signalled || (!waits && now - asked > kPatience)) end_process();
        } else if (signalled) {
          asked = now;
          terminated_ = got == SIGTERM;
          source_.request_stop();
        }
      }
    });
  } catch (const std::system_error&) {
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  }
}

void InterruptWatcher::be_quiet() {
  if (!quiet_.exchange(true)) return;
  for (;;) ::pause();
}

void InterruptWatcher::settle() {
  settled_ = true;
  be_quiet();
}

void InterruptWatcher::end_process() {
  if (!quiet_.exchange(true)) {
    // Clears the line of the terminal first, which shows the progress.
    const std::string line = std::string(::isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "") +
                             "aprscope-cli: " + reason().message() + "\n";
    if (::write(STDERR_FILENO, line.data(), line.size()) < 0) {
      // Nothing else can be done if stderr is closed.
    }
  }
  end_programs();
  remove_temporaries();
  ::_exit(1);
}

}  // namespace aprscope::cli
