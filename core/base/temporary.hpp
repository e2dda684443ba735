#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.hpp"

namespace aprscope {

/// The file that writing to `target` would change: links are followed, also one whose end does not
/// exist yet. Errors: a name that is too long, a ring of links, a missing or read-only folder,
/// something there that is no regular file.
Result<std::filesystem::path> resolve_target(const std::filesystem::path& target);

/// A name for something hidden that becomes `target`: ".stem.RANDOM.part.ending" in at most
/// `longest` bytes, cut between characters of UTF-8. Errors: the system has no random numbers.
Result<std::string> temporary_name(const std::filesystem::path& target, std::size_t longest);

/// An open file descriptor that is closed with this object.
class OpenFile {
 public:
  OpenFile() = default;
  explicit OpenFile(int fd) : fd_(fd) {}
  OpenFile(OpenFile&& other) noexcept;
  OpenFile& operator=(OpenFile&& other) noexcept;
  ~OpenFile();
  [[nodiscard]] int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

/// A new, empty file beside the file it is to replace. Its name cannot be guessed, it is new, and
/// only its owner may open it. It is locked: a temporary file without a lock is left from a process
/// that has died, and is removed when the next one is made for the same target. This object removes
/// the file in the end unless it has become its target.
class TemporaryFile {
 public:
  /// `target` as resolve_target() gives it. Errors: the file cannot be made.
  static Result<TemporaryFile> create(const std::filesystem::path& target);
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  /// The path, for libraries that open files by name; they must write into the existing file.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Gives the file the rights of `target` (of a new file, where there is none), waits until it is
  /// on the disk and renames it to `target`. Errors: the disk is full, the folder refuses, somebody
  /// has put another file in its place.
  Status become(const std::filesystem::path& target);

 private:
  TemporaryFile(std::filesystem::path path, OpenFile file);
  std::filesystem::path path_;
  OpenFile file_;
};

/// A locked folder that holds the parts of `target` while they are made, like TemporaryFile. It is
/// removed with this object.
class PartsFolder {
 public:
  /// Makes a folder of parts beside `target`. Errors: the folder cannot be made.
  static Result<PartsFolder> create(const std::filesystem::path& target);
  PartsFolder(PartsFolder&& other) noexcept;
  PartsFolder& operator=(PartsFolder&&) = delete;
  ~PartsFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  PartsFolder(std::filesystem::path path, OpenFile folder);
  std::filesystem::path path_;
  OpenFile folder_;
};

/// Removes all temporary files and folders of this process, for a process that ends without running
/// the destructors of its threads: none can be made from then on.
void remove_temporaries();

}  // namespace aprscope
