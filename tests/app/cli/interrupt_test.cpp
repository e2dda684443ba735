#include "app/cli/shared/interrupt.hpp"

#include <array>
#include <chrono>
#include <fstream>
#include <functional>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>  // NOLINT: kill is POSIX, not <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/atomic_file.hpp"
#include "core/base/process.hpp"
#include "core/base/temporary.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A process that works under a watcher; what it says goes to `err`.
class Watched {
 public:
  // `work` calls its argument once it is busy.
  Watched(const std::filesystem::path& err, const std::function<void(std::function<void()>)>& work,
          const Error& on_term = cancelled_error()) {
    EXPECT_EQ(::pipe(busy_.data()), 0);
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(::open(err.c_str(), O_CREAT | O_WRONLY, 0600), STDERR_FILENO);
      cli::InterruptWatcher watcher(on_term);
      watcher_of_child = &watcher;
      work([&] {
        if (::write(busy_[1], "b", 1) != 1) ::_exit(9);
      });
      ::_exit(0);
    }
    char byte = 0;
    EXPECT_EQ(::read(busy_[0], &byte, 1), 1);
  }
  ~Watched() {
    ::close(busy_[0]);
    ::close(busy_[1]);
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  /// In the child alone.
  static inline cli::InterruptWatcher* watcher_of_child = nullptr;

  void interrupt(int signal = SIGINT) const { ::kill(child_, signal); }
  int exit_code() {
    int state = 0;
    ::waitpid(child_, &state, 0);
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
  }

 private:
  std::array<int, 2> busy_{};
  pid_t child_ = -1;
};

[[noreturn]] void hear_nothing() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

class Interrupt : public ::testing::Test {
 protected:
  // Writes over a file and never looks whether it shall stop.
  void write_for_ever(const std::function<void()>& busy) {
    const Status written =
        write_atomically(folder_ / "a.tif", [&](const std::filesystem::path& path) -> Status {
          std::ofstream(path) << "half";
          const auto frames = PartsFolder::create(folder_ / "a.mp4");
          std::ofstream(frames->path() / "frame_0001.png") << "half";
          busy();
          hear_nothing();
        });
  }
  TemporaryFolder folder_;
};

TEST_F(Interrupt, AJobThatHearsNothingEndsWithinHalfASecondAndLeavesNothing) {
  ASSERT_TRUE(write_text_atomically(folder_ / "a.tif", "old").ok());
  Watched child(folder_ / "err", [&](const auto& busy) { write_for_ever(busy); });
  EXPECT_EQ(names_in(folder_.path()).size(), 4U);
  const auto start = Clock::now();
  child.interrupt();
  EXPECT_EQ(child.exit_code(), 1);
  const double seconds = seconds_since(start);
  EXPECT_LT(seconds, 0.5);
  EXPECT_GT(seconds, 0.2) << "a job that does hear has its time";
  EXPECT_EQ(names_in(folder_.path()), (std::vector<std::string>{"a.tif", "err"}));
  EXPECT_EQ(bytes_of(folder_ / "a.tif"), "old");
  EXPECT_EQ(bytes_of(folder_ / "err"), "aprscope-cli: cancelled.\n");
}

// Whoever started several processes ends all by SIGTERM when one of them is gone.
TEST_F(Interrupt, SaysWhatATerminationMeans) {
  const auto said = [&](int signal, const char* name) {
    Watched child(folder_ / name,
                  [](const auto& busy) {
                    busy();
                    hear_nothing();
                  },
                  {"ended by mpirun", "", "", ErrorKind::cancelled});
    child.interrupt(signal);
    EXPECT_EQ(child.exit_code(), 1);
    return bytes_of(folder_ / name);
  };
  EXPECT_EQ(said(SIGTERM, "term"), "aprscope-cli: ended by mpirun.\n");
  EXPECT_EQ(said(SIGINT, "int"), "aprscope-cli: cancelled.\n");
}

TEST_F(Interrupt, TheSecondSignalEndsItAtOnce) {
  Watched child(folder_ / "err", [&](const auto& busy) { write_for_ever(busy); });
  const auto start = Clock::now();
  child.interrupt();
  std::this_thread::sleep_for(milliseconds(60));
  child.interrupt();
  EXPECT_EQ(child.exit_code(), 1);
  EXPECT_LT(seconds_since(start), 0.2);
  EXPECT_EQ(names_in(folder_.path()), std::vector<std::string>{"err"});
}

TEST_F(Interrupt, ProgramsThatWereStartedEndToo) {
  Watched child(folder_ / "err", [&](const auto& busy) {
    std::jthread other([&] {
      while (!std::filesystem::exists(folder_ / "started")) std::this_thread::yield();
      busy();
    });
    const std::string started = (folder_ / "started").string();
    const Status done =
        run_program({"sh", "-c",
                     "echo $$ > " + started + ".new; mv " + started + ".new " + started +
                         "; sleep 30; touch " + (folder_ / "survived").string()});
    // It was ended a moment before this program is.
    std::this_thread::sleep_for(std::chrono::seconds(30));
  });
  child.interrupt();
  EXPECT_EQ(child.exit_code(), 1);
  const std::string id = bytes_of(folder_ / "started");
  const auto gone = [&] {
    std::ifstream stat("/proc/" + id.substr(0, id.find('\n')) + "/stat");
    std::string number;
    std::string name;
    std::string state;
    // Ended, though nobody may have asked how.
    return !(stat >> number >> name >> state) || state == "Z" || state == "X";
  };
  const auto start = Clock::now();
  while (!gone() && seconds_since(start) < 10.0) std::this_thread::sleep_for(milliseconds(20));
  EXPECT_TRUE(gone());
  EXPECT_EQ(names_in(folder_.path()), (std::vector<std::string>{"err", "started"}));
}

// What takes long to tidy up after its work is not ended with a code that says it failed.
TEST_F(Interrupt, AJobThatHasEndedSaysItselfHow) {
  Watched child(folder_ / "err", [&](const auto& busy) {
    Watched::watcher_of_child->settle();
    busy();
    std::this_thread::sleep_for(milliseconds(800));
  });
  child.interrupt();
  EXPECT_EQ(child.exit_code(), 0);
  EXPECT_EQ(bytes_of(folder_ / "err"), "");
  // A second signal ends it all the same.
  Watched slow(folder_ / "err", [&](const auto& busy) {
    Watched::watcher_of_child->settle();
    busy();
    hear_nothing();
  });
  slow.interrupt();
  std::this_thread::sleep_for(milliseconds(200));
  slow.interrupt();
  EXPECT_EQ(slow.exit_code(), 1);
}

// When a command is interrupted: while it reads, computes or writes. The sanitizers, which take
// several times as long, look at one moment; how soon a program ends is a matter of the other
// build.
#ifdef __SANITIZE_ADDRESS__
constexpr std::array kMoments{600};
#else
constexpr std::array kMoments{300, 1500};
#endif

// From the signal to the end, of real commands.
TEST_F(Interrupt, EveryCommandEndsWithinHalfASecond) {
  const auto path = [&](const char* name) { return (folder_ / name).string(); };
  ASSERT_EQ(run_cli({"synth", "cells", "-o", path("a.tif"), "--size", "96,320,320"}).exit_code, 0);
  ASSERT_EQ(run_cli({"convert", path("a.tif"), "-o", path("a.apr"), "--no-error-report"}).exit_code,
            0);
  const auto before = names_in(folder_.path());
  const std::vector<std::vector<std::string>> commands{
      {"info", path("a.apr")},
      {"synth", "cells", "-o", path("b.tif"), "--size", "256,512,512"},
      {"convert", path("a.tif"), "-o", path("b.apr")},
      {"convert", path("a.tif"), "-o", path("b.apr"), "--stream"},
      {"reconstruct", path("a.apr"), "-o", path("b.tif"), "--mode", "smooth"},
      {"filter", path("a.tif"), "-o", path("b.tif"), "--stencil", "median:size=9"},
      {"filter", path("a.apr"), "-o", path("b.apr"), "--stencil", "gaussian:sigma=3"},
      {"psf", "gibson-lanni:na=1.2,depth=10,ns=1.33,size=301,301,301", "--voxel-size",
       "0.2,0.1,0.1", "-o", path("b.tif")},
      {"deconvolve", path("a.apr"), "-o", path("b.apr"), "--psf", "gaussian:sigma=2",
       "--iterations", "100"},
      {"compare", path("a.tif"), path("a.apr")},
      {"threshold", path("a.tif"), "-o", path("b.tif"), "--method", "local"},
      {"cells", path("a.tif"), "-o", path("b.tif")},
      {"cells", path("a.apr"), "-o", path("b.apr")},
      {"closing", path("a.tif")},
      {"topology", path("a.tif")},
      {"statistics", path("a.tif")},
      {"render", path("a.apr"), "-o", path("b.png"), "--view", "mip", "--size", "4096,4096"},
      {"render", path("a.tif"), "-o", path("b.png"), "--view", "slice", "--size", "9000,9000"},
      {"render", path("a.apr"), "-o", path("turn"), "--view", "mip", "--turn", "500"},
      {"bench", "convolution"}};
  for (const auto& command : commands) {
    for (const int moment : kMoments) {
      SCOPED_TRACE(command[0] + " " + command.back() + " at " + std::to_string(moment) + " ms");
      ProgramOptions interrupted;
      interrupted.interrupt_after = milliseconds(moment);
      // 0.3 s, most of which is patience, on a machine that does nothing else. A command that does
      // not heed the signal is late each time; one that had to wait for other programs is not.
      double seconds = 0.0;
      for (int attempt = 0; attempt < 3 && (attempt == 0 || seconds >= 1.0); ++attempt) {
        const auto done = run_cli(command, interrupted);
        seconds = done.seconds_to_end;
        if (done.exit_code == 0) continue;
        EXPECT_EQ(done.exit_code, 1);
        EXPECT_TRUE(done.one_line_error()) << done.err;
        EXPECT_NE(done.err.find("cancelled"), std::string::npos) << done.err;
      }
      EXPECT_LT(seconds, 1.0);
      std::filesystem::remove_all(path("turn"));
      for (const char* name : {"b.tif", "b.apr", "b.png"}) std::filesystem::remove(path(name));
      EXPECT_EQ(names_in(folder_.path()), before);
    }
  }
}

}  // namespace
}  // namespace aprscope::test
