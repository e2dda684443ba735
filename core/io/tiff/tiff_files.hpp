#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/io/common/file_watch.hpp"
#include "core/io/tiff/tiff_file.hpp"
#include "core/io/tiff/tiff_pages.hpp"

// Private to core/io: the files that the planes of one image lie in.

namespace aprscope {

/// An open file and its pages.
struct OpenTiffFile {
  TiffFile file;
  std::shared_ptr<const TiffPages> pages;
  /// Since before it was opened.
  FileWatch watch;
};

/// Errors: those of TiffFile and read_tiff_pages().
Result<std::shared_ptr<const OpenTiffFile>> open_tiff_file(const std::filesystem::path& path,
                                                           const JobContext& context);

/// One file, and others beside it that it names. They are opened when they are asked for, and those
/// that were asked for last stay open. One thread at a time.
class TiffFiles {
 public:
  explicit TiffFiles(std::filesystem::path first) : first_(std::move(first)) {}

  [[nodiscard]] const std::filesystem::path& path() const { return first_; }
  /// Names of the others, which are numbers 1, 2, ….
  void set_others(std::vector<std::string> names) { others_ = std::move(names); }
  [[nodiscard]] std::size_t count() const { return 1 + others_.size(); }

  /// File `number`; 0 is the first. Errors name it, and what needs it where it is not there or lies
  /// elsewhere than beside; cancelled.
  Result<std::shared_ptr<const OpenTiffFile>> open(std::size_t number, const JobContext& context);
  /// The same files for another thread: what is open here is there, too.
  [[nodiscard]] Result<TiffFiles> another() const;
  /// Takes one that is open already.
  void keep(std::size_t number, std::shared_ptr<const OpenTiffFile> file);

 private:
  struct Kept {
    std::size_t number;
    std::shared_ptr<const OpenTiffFile> file;
  };
  std::filesystem::path first_;
  std::vector<std::string> others_;
  std::deque<Kept> kept_;
};

}  // namespace aprscope
