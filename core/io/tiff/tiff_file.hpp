#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <tiffio.h>

#include "core/base/regular_file.hpp"
#include "core/base/result.hpp"

// Private to core/io: an open TIFF file and what libtiff said about it.

namespace aprscope {

/// Owns a libtiff handle. The library's errors are kept for error(), its warnings (unknown tags and
/// the like) are dropped; nothing is printed. Move-only; one thread at a time.
class TiffFile {
 public:
  /// Never waits for the file. Errors name it: not a regular one, not a TIFF file (with the
  /// library's reason).
  static Result<TiffFile> open_for_reading(const std::filesystem::path& path);
  /// The same open file once more, for another thread: each has its own place in it.
  [[nodiscard]] Result<TiffFile> another() const;
  /// Creates or truncates. `big` chooses BigTIFF (64-bit offsets).
  static Result<TiffFile> open_for_writing(const std::filesystem::path& path, bool big);

  [[nodiscard]] TIFF* get() const { return tiff_.get(); }
  /// For reading only: the descriptor, to read at positions; the bytes of the file when it was
  /// opened; bytes that the library has read so far (with repetitions).
  [[nodiscard]] int descriptor() const { return source_->file->get(); }
  [[nodiscard]] std::uint64_t bytes() const { return source_->bytes; }
  [[nodiscard]] std::uint64_t bytes_read() const { return source_->read; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// The first reading that the system refused since the file was opened (a broken disk, a network
  /// that is away): the library takes a table that it cannot read for one that is not there.
  [[nodiscard]] Status reading() const;

  /// "path: what (library's last error); advice", and forgets that error.
  [[nodiscard]] Error error(const std::string& what, const std::string& advice) const;
  /// True when libtiff reported an error since the start or the last error().
  [[nodiscard]] bool has_error() const;
  /// True when that error says that there was no memory; error() then says so too.
  [[nodiscard]] bool out_of_memory() const;

  /// Closes now; has_error() then includes errors of closing.
  void close() { tiff_.reset(); }

 private:
  struct Closer {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
  };
  // The handlers of libtiff point to it, so it must not move, and must outlive the handle.
  struct Log;
  struct LogDeleter {
    void operator()(Log* log) const;
  };

  // What the library reads from: by position, so that readers do not disturb each other.
  struct Source {
    std::shared_ptr<const RegularFile> file;
    std::uint64_t bytes = 0;
    std::uint64_t at = 0;
    std::uint64_t read = 0;
    std::optional<Error> failed;
    // Whether memory was too short even for the text of an error.
    bool no_memory = false;
  };

  TiffFile() = default;
  // Calls open(options) to get the handle.
  template <class Open>
  static Result<TiffFile> open(const std::filesystem::path& path, std::int64_t largest_allocation,
                               const Error& failure, const Open& open);
  static Result<TiffFile> open_for_reading(const std::filesystem::path& path,
                                           std::shared_ptr<const RegularFile> regular,
                                           std::uint64_t bytes);
  static int on_error(TIFF* tiff, void* log, const char* module, const char* format,
                      va_list arguments);
  static tmsize_t on_read(thandle_t source, void* out, tmsize_t bytes);
  static toff_t on_seek(thandle_t source, toff_t offset, int whence);
  static toff_t on_size(thandle_t source);
  static int on_warning(TIFF* tiff, void* log, const char* module, const char* format,
                        va_list arguments);

  std::filesystem::path path_;
  std::unique_ptr<Log, LogDeleter> log_;
  std::unique_ptr<Source> source_;
  std::unique_ptr<TIFF, Closer> tiff_;
};

}  // namespace aprscope
