#include "core/base/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <system_error>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;  // NOLINT: POSIX wants it declared by who uses it

namespace aprscope {
namespace {

constexpr int kLookMs = 50;  // how often to look whether to stop
constexpr std::size_t kKept = 4096;

std::string last_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  const auto line = text.rfind('\n');
  return line == std::string::npos ? text : text.substr(line + 1);
}

Error system_error(const std::string& what, const std::string& program, int code) {
  return {what + " (" + std::strerror(code) + ")", program, "check that it is installed"};
}

// Process groups that are waited for. Never destroyed, since threads may use it at exit.
struct Running {
  std::mutex mutex;
  std::set<pid_t> groups;
};

Running& running() {
  static auto* const made = new Running;
  return *made;
}

// Reads what the program says until it closes its stderr; ends it when asked to stop.
std::string listen(int from, pid_t child, const JobContext& context, bool& stopped) {
  std::string said;
  for (;;) {
    if (context.stop_requested() && !stopped) {
      ::kill(-child, SIGKILL);
      stopped = true;
    }
    pollfd waiting{from, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, kLookMs);
    if (ready < 0 && errno != EINTR) return said;
    if (ready <= 0) continue;
    std::array<char, 1024> piece{};
    const ssize_t got = ::read(from, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return said;
    said.append(piece.data(), static_cast<std::size_t>(got));
    if (said.size() > kKept) said.erase(0, said.size() - kKept);
  }
}

// The file that this code was loaded from: the running program, or a module that it has loaded.
std::optional<std::filesystem::path> own_file() {
  static const char here = 0;
  Dl_info object{};
  link_map* loaded = nullptr;
  // The loader knows programs without a name.
  if (::dladdr1(&here, &object, reinterpret_cast<void**>(&loaded), RTLD_DL_LINKMAP) != 0 &&
      loaded != nullptr && loaded->l_name != nullptr && *loaded->l_name != '\0') {
    std::error_code failed;
    auto module = std::filesystem::canonical(loaded->l_name, failed);
    if (!failed) return module;
  }
  std::error_code failed;
  auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) return std::nullopt;
  return program;
}

}  // namespace

std::optional<std::string> find_program(const std::string& name) {
  const char* path = std::getenv("PATH");  // NOLINT: nobody sets it meanwhile
  const std::string folders = path != nullptr ? path : "";
  for (std::size_t start = 0; start <= folders.size();) {
    const auto end = std::min(folders.find(':', start), folders.size());
    const std::string candidate = folders.substr(start, end - start) + "/" + name;
    if (end > start && ::access(candidate.c_str(), X_OK) == 0) return candidate;
    start = end + 1;
  }
  return std::nullopt;
}

std::optional<std::filesystem::path> find_part(const std::string& name, bool runs) {
  const auto file = own_file();
  if (!file) return std::nullopt;
  std::filesystem::path folder = file->parent_path();
  struct stat program {};
  if (::stat(file->c_str(), &program) != 0) return std::nullopt;
  // A file of another user (but root) does not count: this program may lie in a shared folder.
  const auto is_there = [&](const std::filesystem::path& path) {
    struct stat part {};
    return ::stat(path.c_str(), &part) == 0 &&
           (part.st_uid == program.st_uid || part.st_uid == 0) &&
           ::access(path.c_str(), runs ? X_OK : R_OK) == 0;
  };
  if (auto beside = folder / name; is_there(beside)) return beside;
  constexpr int kFoldersUp = 3;  // tests/app/gui of a build
  for (int up = 0; up <= kFoldersUp; ++up, folder = folder.parent_path()) {
    if (auto below = folder / "libexec" / "aprscope" / name; is_there(below)) return below;
  }
  return std::nullopt;
}

Status run_program(const std::vector<std::string>& command, const JobContext& context) {
  const std::string& program = command.at(0);
  if (context.stop_requested()) return cancelled_error();
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return system_error("cannot be started", program, errno);
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // The child gets its own process group, which can be ended as a whole and which the terminal's
  // Ctrl-C does not reach: this program decides. Signals blocked here are unblocked there.
  posix_spawnattr_t manner;
  posix_spawnattr_init(&manner);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&manner, &none);
  posix_spawnattr_setpgroup(&manner, 0);
  posix_spawnattr_setflags(&manner, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& a : command) arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed = [&] {
    const std::scoped_lock lock(running().mutex);
    const int code =
        ::posix_spawnp(&child, program.c_str(), &actions, &manner, arguments.data(), environ);
    if (code == 0) running().groups.insert(child);
    return code;
  }();
  posix_spawnattr_destroy(&manner);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (failed != 0) {
    ::close(ends[0]);
    return system_error("cannot be started", program, failed);
  }
  bool stopped = false;
  const std::string said = listen(ends[0], child, context, stopped);
  ::close(ends[0]);
  {
    // Before its number may be that of another process.
    const std::scoped_lock lock(running().mutex);
    running().groups.erase(child);
  }
  int state = 0;
  while (::waitpid(child, &state, 0) < 0 && errno == EINTR) {
  }
  if (stopped) return cancelled_error();
  if (WIFEXITED(state) && WEXITSTATUS(state) == 0) return {};
  std::string reason = last_line(said);
  if (reason.empty()) reason = "without a reason";
  return Error{"failed: " + reason, program, ""};
}

void end_programs() {
  const std::scoped_lock lock(running().mutex);
  for (const pid_t group : running().groups) ::kill(-group, SIGKILL);
}

}  // namespace aprscope
