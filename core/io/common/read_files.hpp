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
  /// `folder`: what names are below; empty where they are whole paths.
  explicit ReadFiles(std::filesystem::path folder = {}) : folder_(std::move(folder)) {}

  /// Remembers a file as it was when it was read; nothing: there was none. Errors: it was another
  /// when it was read before.
  Status note(const std::string& name, const std::optional<FileState>& state);

  /// An error that names the first file that is another than it was, of those noted as number
  /// `first` and later.
  [[nodiscard]] Status unchanged(std::size_t first = 0) const;

  /// How many files were noted. Beyond 2^18 no more are, which take some 30 MB.
  [[nodiscard]] std::size_t count() const;

 private:
  std::filesystem::path folder_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::optional<FileState>> files_;
  // In the order in which they came.
  std::vector<const decltype(files_)::value_type*> order_;
};

}  // namespace aprscope
