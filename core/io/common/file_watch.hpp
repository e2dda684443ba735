#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "core/apr/convert/slice_source.hpp"
#include "core/base/regular_file.hpp"

// Private to core/io: files that change while they are read.

namespace aprscope {

/// The error of a file that is another than it was; nothing stands for no file.
Error changed_file(const std::filesystem::path& path, const std::optional<FileState>& before,
                   const std::optional<FileState>& now);

/// Remembers what a file was when reading it began.
class FileWatch {
 public:
  /// Begins to watch a file. Errors: those of state_of().
  static Result<FileWatch> begin(const std::filesystem::path& path);
  /// A watch that began when the file was in the state `before`.
  static FileWatch since(const std::filesystem::path& path, const FileState& before) {
    return FileWatch(path, before);
  }
  [[nodiscard]] const FileState& before() const { return before_; }

  /// An error that names the file if its bytes, its time of modification (as fine as the system
  /// keeps it, some milliseconds) or the file behind the name is another than at the beginning.
  /// Changes through a memory map may show later than they are read.
  [[nodiscard]] Status unchanged() const;

 private:
  FileWatch(std::filesystem::path path, const FileState& before)
      : path_(std::move(path)), before_(before) {}
  std::filesystem::path path_;
  FileState before_;
};

/// The slices of `source`, each refused if the file has changed since `watch` began: nothing that
/// mixes old and new goes on, nor zeros where the file was cut off.
std::unique_ptr<SliceSource> watched_slices(std::unique_ptr<SliceSource> source, FileWatch watch);

}  // namespace aprscope
