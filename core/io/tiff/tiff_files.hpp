#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
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

/// The file `name` in `folder`, as its user knows it. Errors: none, or a link out of the folder;
/// `where` is what asks for it.
Result<std::filesystem::path> tiff_file_in(const std::filesystem::path& folder,
                                           const std::string& name, const std::string& where);

/// One file, and others beside it that it names. They are opened when they are asked for, and those
/// that were asked for last stay open; of all that once were, the pages and what the files were
/// then stay known. One thread at a time.
class TiffFiles {
 public:
  explicit TiffFiles(std::filesystem::path first)
      : first_(std::move(first)), known_(std::make_shared<Known>()) {}

  [[nodiscard]] const std::filesystem::path& path() const { return first_; }
  /// Names of the others, which are numbers 1, 2, ….
  void set_others(std::vector<std::string> names) { others_ = std::move(names); }
  [[nodiscard]] std::size_t count() const { return 1 + others_.size(); }

  /// File `number`; 0 is the first. Errors name it, and what needs it where it is not there or lies
  /// elsewhere than beside; a file that is another than when it was opened first; cancelled.
  Result<std::shared_ptr<const OpenTiffFile>> open(std::size_t number, const JobContext& context);
  /// The same files for another thread: what is open here is there, too, and what either of them
  /// knows.
  [[nodiscard]] Result<TiffFiles> another() const;
  /// Takes one that is open already.
  void keep(std::size_t number, std::shared_ptr<const OpenTiffFile> file);

 private:
  struct Kept {
    std::size_t number;
    std::shared_ptr<const OpenTiffFile> file;
  };
  struct Seen {
    FileState state;
    /// Of files of one page none: they are as soon read as the file is opened.
    std::shared_ptr<const TiffPages> pages;
  };
  // By number; shared by threads.
  struct Known {
    std::mutex mutex;
    std::vector<std::optional<Seen>> files;
  };
  [[nodiscard]] std::optional<Seen> seen(std::size_t number) const;
  void remember(std::size_t number, const OpenTiffFile& file);

  std::filesystem::path first_;
  std::vector<std::string> others_;
  std::deque<Kept> kept_;
  std::shared_ptr<Known> known_;
};

}  // namespace aprscope
