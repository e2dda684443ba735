#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/types.h>

namespace aprscope::test {

/// What a run of the program did.
struct ProgramResult {
  /// −1 when a signal ended it.
  int exit_code = -1;
  std::string out;
  std::string err;
  double seconds = 0.0;
  /// From the interrupt to the end.
  double seconds_to_end = 0.0;

  /// stdout as JSON; a discarded value when it is not one object.
  [[nodiscard]] nlohmann::json json() const;
  /// True when stderr is exactly one line that is not empty.
  [[nodiscard]] bool one_line_error() const;
};

struct ProgramOptions {
  /// What starts it instead, by its path, with arguments of its own; empty: nothing.
  std::vector<std::string> launcher;
  /// Largest file the program may write, as a stand-in for a full disk.
  std::optional<std::uint64_t> file_size_limit;
  /// Largest address space the program may take, as ulimit -v sets it.
  std::optional<std::uint64_t> memory_limit;
  /// Runs as a user without rights when the tests run as root.
  bool unprivileged = false;
  /// Called once while it runs, after this time.
  std::optional<std::chrono::milliseconds> call_after;
  std::function<void()> call;
  /// Sends SIGINT so long after the program has begun to listen to it.
  std::optional<std::chrono::milliseconds> interrupt_after;
};

/// Where the aprscope-cli of this build lies.
std::string cli_program();

/// Runs aprscope-cli with these arguments and waits for it.
ProgramResult run_cli(const std::vector<std::string>& arguments,
                      const ProgramOptions& options = {});

/// The bytes of a file.
std::string bytes_of(const std::filesystem::path& path);
/// Names in a folder, hidden ones too, sorted.
std::vector<std::string> names_in(const std::filesystem::path& folder);

}  // namespace aprscope::test
