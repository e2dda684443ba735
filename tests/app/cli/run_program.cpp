#include "tests/app/cli/run_program.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <fcntl.h>
#include <grp.h>
#include <signal.h>  // NOLINT: kill is POSIX, not <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/paths.hpp"

namespace aprscope::test {
namespace {

constexpr int kNobody = 65534;
constexpr int kCannotRun = 127;

// In the child: only calls that are safe after fork.
[[noreturn]] void become_program(std::vector<char*>& arguments, int out, int err,
                                 const ProgramOptions& options) {
  const int in = ::open("/dev/null", O_RDONLY);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  if (options.file_size_limit) {
    const rlimit limit{*options.file_size_limit, *options.file_size_limit};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (options.memory_limit) {
    const rlimit limit{*options.memory_limit, *options.memory_limit};
    ::setrlimit(RLIMIT_AS, &limit);
  }
  if (options.unprivileged && ::geteuid() == 0) {
    if (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) {
      ::_exit(kCannotRun);
    }
  }
  ::execv(arguments[0], arguments.data());
  ::_exit(kCannotRun);
}

// Until the program waits for SIGINT, which it blocks and takes in a thread of its own, or has
// ended: a busy machine may take long to load it.
void wait_until_it_listens(pid_t program) {
  constexpr std::uint64_t kInterrupt = std::uint64_t{1} << (SIGINT - 1);
  const std::string path = "/proc/" + std::to_string(program) + "/status";
  for (int waited = 0; waited < 10'000; waited += 5) {
    std::ifstream status(path);
    std::string word;
    while (status >> word && word != "SigBlk:" && word != "Z") {
    }
    std::uint64_t blocked = 0;
    if (word != "SigBlk:" || !(status >> std::hex >> blocked)) return;
    if ((blocked & kInterrupt) != 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace

nlohmann::json ProgramResult::json() const { return nlohmann::json::parse(out, nullptr, false); }

bool ProgramResult::one_line_error() const {
  return err.size() > 1 && std::count(err.begin(), err.end(), '\n') == 1 && err.back() == '\n';
}

std::string cli_program() { return APRSCOPE_CLI; }

ProgramResult run_cli(const std::vector<std::string>& arguments, const ProgramOptions& options) {
  const TemporaryFolder folder;
  const auto open_log = [&](const char* name) {
    return ::open((folder / name).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  };
  const int out = open_log("out");
  const int err = open_log("err");
  std::vector<std::string> words = options.launcher;
  words.push_back(cli_program());
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  const auto start = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child == 0) become_program(pointers, out, err, options);
  ::close(out);
  ::close(err);
  ProgramResult result;
  if (child < 0) return result;
  if (options.call_after) {
    std::this_thread::sleep_for(*options.call_after);
    options.call();
  }
  auto interrupted = start;
  if (options.interrupt_after) {
    wait_until_it_listens(child);
    std::this_thread::sleep_for(*options.interrupt_after);
    interrupted = std::chrono::steady_clock::now();
    ::kill(child, SIGINT);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const auto end = std::chrono::steady_clock::now();
  result.seconds = std::chrono::duration<double>(end - start).count();
  result.seconds_to_end = std::chrono::duration<double>(end - interrupted).count();
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.out = bytes_of(folder / "out");
  result.err = bytes_of(folder / "err");
  return result;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace aprscope::test
