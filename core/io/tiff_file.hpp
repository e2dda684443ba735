#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include <tiffio.h>

#include "core/base/result.hpp"

// Private to core/io: an open TIFF file and what libtiff said about it.

namespace aprscope {

/// Owns a libtiff handle. The library's errors are kept for error(), its warnings (unknown tags and
/// the like) are dropped; nothing is printed. Move-only; one thread at a time.
class TiffFile {
 public:
  /// Never waits for the file. Tables of strips and tiles are read when they are asked for. Errors
  /// name the file: not a regular one, not a TIFF file (with the library's reason).
  static Result<TiffFile> open_for_reading(const std::filesystem::path& path);
  /// Creates or truncates. `big` chooses BigTIFF (64-bit offsets).
  static Result<TiffFile> open_for_writing(const std::filesystem::path& path, bool big);

  [[nodiscard]] TIFF* get() const { return tiff_.get(); }
  /// The file that is open, for reading at positions; stays the library's.
  [[nodiscard]] int descriptor() const { return TIFFFileno(tiff_.get()); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// "path: what (library's last error); advice", and forgets that error.
  [[nodiscard]] Error error(const std::string& what, const std::string& advice) const;
  /// True when libtiff reported an error since the start or the last error().
  [[nodiscard]] bool has_error() const;
  /// True when that error says that there was no memory; error() then says so too.
  [[nodiscard]] bool out_of_memory() const;

  /// Closes now; errors that only show then are seen by has_error().
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

  TiffFile() = default;
  // Calls open(options) to get the handle.
  template <class Open>
  static Result<TiffFile> open(const std::filesystem::path& path, std::int64_t largest_allocation,
                               const Error& failure, const Open& open);
  static int on_error(TIFF* tiff, void* log, const char* module, const char* format,
                      va_list arguments);
  static int on_warning(TIFF* tiff, void* log, const char* module, const char* format,
                        va_list arguments);

  std::filesystem::path path_;
  std::unique_ptr<Log, LogDeleter> log_;
  std::unique_ptr<TIFF, Closer> tiff_;
};

}  // namespace aprscope
