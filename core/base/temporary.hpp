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

/// A new, empty file beside what it is to replace. Its name cannot be guessed, nobody else can have
/// made it, only its owner may open it, and it is locked: one that is not belongs to a process that
/// has died, and goes when the next one is made for the same target. It is removed with this object
/// unless it has become its target.
class TemporaryFile {
 public:
  /// `target` as resolve_target() gives it. Errors: the file cannot be made.
  static Result<TemporaryFile> create(const std::filesystem::path& target);
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  /// For libraries that open files by their name; they have to write into the file that is there.
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

/// The same for a folder that holds the parts of `target` while that is made. It is removed with
/// this object.
class PartsFolder {
 public:
  /// Errors: the folder cannot be made.
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

/// Removes all that are there, for a process that ends without the destructors of its threads: none
/// can be made from then on.
void remove_temporaries();

}  // namespace aprscope
