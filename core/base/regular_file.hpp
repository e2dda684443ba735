#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "core/base/result.hpp"

namespace aprscope {

/// The state of a file, which tells without reading it whether it was replaced, truncated or
/// written to: device and inode, bytes, and time of modification in nanoseconds.
struct FileState {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;
  friend bool operator==(const FileState&, const FileState&) = default;
};

/// A regular file that is open for reading. Move-only; closes itself.
class RegularFile {
 public:
  RegularFile(RegularFile&& other) noexcept
      : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}
  RegularFile& operator=(RegularFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(fd_, other.fd_);
    return *this;
  }
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;
  ~RegularFile();

  /// The descriptor, which stays this object's.
  [[nodiscard]] int get() const { return fd_; }
  /// Gives the descriptor away; the caller closes it.
  [[nodiscard]] int release() { return std::exchange(fd_, -1); }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// The file as it is now. Errors: the system does not tell.
  [[nodiscard]] Result<FileState> state() const;

  /// Reads `bytes` from byte `offset` on, fewer where the file ends. Errors: the disk, a network.
  [[nodiscard]] Result<std::size_t> read_at(std::uint64_t offset, void* out,
                                            std::size_t bytes) const;

 private:
  friend Result<RegularFile> open_regular(const std::filesystem::path& path);
  RegularFile(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}
  std::filesystem::path path_;
  int fd_ = -1;
};

/// Opens a file for reading, through links, if it is a regular one, and never waits: a FIFO, a
/// device, a socket or a folder, behind a link as well, is an error at once. Errors name the file:
/// it does not exist, is a folder, is not a regular file, cannot be opened.
Result<RegularFile> open_regular(const std::filesystem::path& path);

/// The state of the regular file that `path` leads to, not opening it. Errors: as open_regular().
Result<FileState> state_of(const std::filesystem::path& path);

}  // namespace aprscope
