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

/// Opens a TIFF file. Errors: those of TiffFile and read_tiff_pages().
Result<std::shared_ptr<const OpenTiffFile>> open_tiff_file(const std::filesystem::path& path,
                                                           const JobContext& context);

/// The path of the file `name` in `folder`, with links as they are. Errors: no such file, or a link
/// out of the folder; `where` is the file that names it.
Result<std::filesystem::path> tiff_file_in(const std::filesystem::path& folder,
                                           const std::string& name, const std::string& where);

/// One file, and others beside it that it names. Files are opened on demand, and the last ones used
/// stay open; pages and states of all files that were ever opened are remembered. One thread at a
/// time.
class TiffFiles {
 public:
  explicit TiffFiles(std::filesystem::path first)
      : first_(std::move(first)), known_(std::make_shared<Known>()) {}

  [[nodiscard]] const std::filesystem::path& path() const { return first_; }
  /// Names of the others, which are numbers 1, 2, ….
  void set_others(std::vector<std::string> names) { others_ = std::move(names); }
  [[nodiscard]] std::size_t count() const { return 1 + others_.size(); }

  /// File `number`; 0 is the first. Errors name it, and the file that needs it if it is missing or
  /// not beside that; it changed since it was opened first; cancelled.
  Result<std::shared_ptr<const OpenTiffFile>> open(std::size_t number, const JobContext& context);
  /// The same files for another thread: opens those that are open here, and shares what is
  /// known.
  [[nodiscard]] Result<TiffFiles> another() const;
  /// Adds a file that is open already.
  void keep(std::size_t number, std::shared_ptr<const OpenTiffFile> file);

 private:
  struct Kept {
    std::size_t number;
    std::shared_ptr<const OpenTiffFile> file;
  };
  struct Seen {
    FileState state;
    /// The pages; null for a file of one page, which is read as soon as it is opened.
    std::shared_ptr<const TiffPages> pages;
  };
  // What is known of files, by number; shared by threads.
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
