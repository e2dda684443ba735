#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "core/base/result.hpp"
#include "core/base/temporary.hpp"

namespace aprscope {

/// The folder that the environment variable TMPDIR names, else /var/tmp.
std::filesystem::path folder_for_scratch();

/// Whether the file system of a folder is memory itself; nothing, with errno set, if the folder
/// does not exist.
std::optional<bool> lies_in_memory(const std::filesystem::path& folder);

/// Whether a folder lies on a disk (not in memory) with at least 2 · `bytes` free.
bool has_ample_room(const std::filesystem::path& folder, std::uint64_t bytes);

/// A file without a name: it vanishes with this object or with the process. For data that are kept
/// on a disk for a while instead of in memory.
class NamelessFile {
 public:
  /// A new, empty file on the disk of `folder`. `advice` is the advice of errors if the file cannot
  /// be made or the disk is full. Errors: there is no such folder, it cannot be written to.
  static Result<NamelessFile> create(const std::filesystem::path& folder,
                                     const std::string& advice);

  /// The file descriptor; this object keeps it and closes it.
  [[nodiscard]] int get() const { return file_.get(); }
  /// Bytes appended so far.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Appends `bytes` to the file. Errors: the disk is full.
  Status append(std::span<const std::uint8_t> bytes);
  /// Reads bytes from `offset` on, which were appended before. Errors: the disk cannot read them.
  Status read(std::uint64_t offset, std::span<std::uint8_t> out) const;

 private:
  NamelessFile(OpenFile file, std::filesystem::path folder, std::string advice);
  [[nodiscard]] Error failed(const char* what) const;

  OpenFile file_;
  std::filesystem::path folder_;
  std::string advice_;
  std::uint64_t size_ = 0;
};

}  // namespace aprscope
