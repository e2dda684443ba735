#include "core/io/hdf5/hdf5_start.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include "core/base/process.hpp"
#include "core/io/hdf5/hdf5_helper.hpp"

extern char** environ;  // NOLINT: POSIX wants it declared by who uses it

namespace aprscope {
namespace {

constexpr const char* kProgram = "aprscope-hdf5";

// A copy of a descriptor that is in nobody's way.
class Copy {
 public:
  explicit Copy(int fd)
      : fd_(::fcntl(fd, F_DUPFD_CLOEXEC, std::max(kHdf5HelperFile, kHdf5HelperSocket) + 1)) {}
  ~Copy() {
    if (fd_ >= 0) ::close(fd_);
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

Error hdf5_program_error(const std::filesystem::path& path, int code) {
  return {std::string("cannot be opened: the process that reads HDF5 cannot be started (") +
              std::strerror(code) + ")",
          path.string(), "close other programs or data"};
}

Result<pid_t> start_hdf5_program(const RegularFile& file, std::uint64_t bytes, int socket) {
  static const std::optional<std::filesystem::path> program = find_part(kProgram, true);
  if (!program) {
    return Error{
        std::string("cannot be opened: the program ") + kProgram + ", which reads HDF5, is missing",
        file.path().string(), "install aprscope again"};
  }
  const Copy from(file.get());
  const Copy way(socket);
  if (from.get() < 0 || way.get() < 0) return hdf5_program_error(file.path(), errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, from.get(), kHdf5HelperFile);
  posix_spawn_file_actions_adddup2(&actions, way.get(), kHdf5HelperSocket);
  // Blocks all signals in the helper from its start, also those that a terminal sends to a group.
  posix_spawnattr_t manner;
  posix_spawnattr_init(&manner);
  sigset_t all;
  sigfillset(&all);
  posix_spawnattr_setsigmask(&manner, &all);
  posix_spawnattr_setflags(&manner, POSIX_SPAWN_SETSIGMASK);
  std::string name = kProgram;
  std::string size = std::to_string(bytes);
  const std::array<char*, 3> arguments{name.data(), size.data(), nullptr};
  pid_t helper = -1;
  const int code =
      ::posix_spawn(&helper, program->c_str(), &actions, &manner, arguments.data(), environ);
  posix_spawnattr_destroy(&manner);
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0) return hdf5_program_error(file.path(), code);
  return helper;
}

}  // namespace aprscope
