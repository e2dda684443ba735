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

/// Whether the file system of a folder is memory itself; nothing, and errno, where there is no such
/// folder.
std::optional<bool> lies_in_memory(const std::filesystem::path& folder);

/// Whether a folder lies on a disk that has room for `bytes` and as much again.
bool has_ample_room(const std::filesystem::path& folder, std::uint64_t bytes);

/// A file without a name, which is gone with this object or the process: for what waits on a disk
/// until it is wanted.
class NamelessFile {
 public:
  /// A new, empty file on the disk of `folder`. `advice` says what to do where it cannot be made or
  /// is full. Errors: there is no such folder, it cannot be written to.
  static Result<NamelessFile> create(const std::filesystem::path& folder,
                                     const std::string& advice);

  /// Its descriptor.
  [[nodiscard]] int get() const { return file_.get(); }
  /// Bytes that were appended.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Errors: the disk is full.
  Status append(std::span<const std::uint8_t> bytes);
  /// Bytes from `offset` on, which were appended before. Errors: the disk does not give them.
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
