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

/// States of all files that a reading took bytes from. If all are unchanged at its end, everything
/// read was there at the same time: nothing mixes old and new. Any thread may use it.
class ReadFiles {
 public:
  /// `folder`: the folder that names are relative to; empty: names are whole paths.
  explicit ReadFiles(std::filesystem::path folder = {}) : folder_(std::move(folder)) {}

  /// Remembers a file as it was when it was read; none: there was no file. Errors: it had another
  /// state when it was read before.
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
  // The files in the order in which they were read.
  std::vector<const decltype(files_)::value_type*> order_;
};

}  // namespace aprscope
