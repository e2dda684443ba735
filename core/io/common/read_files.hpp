#pragma once

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/regular_file.hpp"

// Private to core/io: data that lies in many files.

namespace aprscope {

/// What the files were from which a reading took bytes. If all of them are the same at its end,
/// everything that was read was there at once: nothing mixes old and new. By any thread.
class ReadFiles {
 public:
  /// Remembers a file of the folder (a name below it, or a whole path) as it was when it was read;
  /// nothing: there was none. Errors: it was another when it was read before.
  Status note(const std::filesystem::path& folder, const std::string& name,
              const std::optional<FileState>& state);

  /// An error that names the first file that is another than it was, of those noted as number
  /// `first` and later.
  [[nodiscard]] Status unchanged(std::size_t first = 0) const;

  /// How many files were noted. Beyond a million no more are: what they take would be felt.
  [[nodiscard]] std::size_t count() const;

 private:
  struct Noted {
    std::filesystem::path path;
    std::optional<FileState> state;
  };

  mutable std::mutex mutex_;
  std::vector<Noted> files_;
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace aprscope
