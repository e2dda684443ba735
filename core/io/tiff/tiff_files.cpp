#include "core/io/tiff/tiff_files.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/base/printable.hpp"
#include "core/io/common/path_inside.hpp"

namespace aprscope {
namespace {

// Slices come in order, and so do files; a few more where channels take turns.
constexpr std::size_t kMostOpen = 4;

// Opens a file; `known`: its pages, or null. The description is long and only that of the first
// file is used, so that of others is dropped.
Result<std::shared_ptr<const OpenTiffFile>> open_since(const std::filesystem::path& path,
                                                       FileWatch watch,
                                                       std::shared_ptr<const TiffPages> known,
                                                       bool is_first, const JobContext& context) {
  auto file = TiffFile::open_for_reading(path);
  if (!file) return file.error();
  if (!known) {
    auto pages = read_tiff_pages(*file, context);
    if (!pages) return pages.error();
    if (!is_first) pages->description = std::string();
    known = std::make_shared<const TiffPages>(*std::move(pages));
  }
  return std::shared_ptr<const OpenTiffFile>(std::make_shared<OpenTiffFile>(
      OpenTiffFile{*std::move(file), std::move(known), std::move(watch)}));
}

}  // namespace

Result<std::shared_ptr<const OpenTiffFile>> open_tiff_file(const std::filesystem::path& path,
                                                           const JobContext& context) {
  auto watch = FileWatch::begin(path);
  if (!watch) return watch.error();
  return open_since(path, *std::move(watch), nullptr, true, context);
}

Result<std::filesystem::path> tiff_file_in(const std::filesystem::path& folder,
                                           const std::string& name, const std::string& where) {
  const std::filesystem::path path = folder / name;
  const auto inside = path_inside(folder, name, where);
  if (inside) return path;
  std::error_code code;
  // A link that leads nowhere has another error.
  if (std::filesystem::is_symlink(path, code) && std::filesystem::exists(path, code)) {
    return Error{"is a link out of its folder, which is not followed", path.string(),
                 "put the file itself there"};
  }
  return inside.error();
}

Result<std::shared_ptr<const OpenTiffFile>> TiffFiles::open(std::size_t number,
                                                            const JobContext& context) {
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const Kept& kept) { return kept.number == number; });
  if (found != kept_.end()) return found->file;
  std::filesystem::path path = first_;
  if (number > 0) {
    const std::string& name = others_[number - 1];
    // A path with a folder is not beside the first file.
    if (std::filesystem::path(name).has_parent_path()) {
      return Error{"needs " + printable(name.substr(0, 200)) + ", which is not a file beside it",
                   first_.string(), "put all files of the set into one folder"};
    }
    auto inside = tiff_file_in(first_.parent_path(), name, first_.string());
    if (!inside) return inside.error();
    path = *std::move(inside);
  }
  const auto before = seen(number);
  auto watch =
      before ? Result<FileWatch>(FileWatch::since(path, before->state)) : FileWatch::begin(path);
  if (!watch) return watch.error();
  auto opened = open_since(path, *watch, before ? before->pages : nullptr, number == 0, context);
  if (before && (opened || !opened.error().cancelled())) {
    // Pages of one file and pixels of another would be a mixture.
    if (Status same = watch->unchanged(); !same) return same.error();
  }
  if (opened) keep(number, *opened);
  return opened;
}

Result<TiffFiles> TiffFiles::another() const {
  TiffFiles made(first_);
  made.others_ = others_;
  made.known_ = known_;
  for (const Kept& kept : kept_) {
    auto file = kept.file->file.another();
    if (!file) return file.error();
    made.keep(kept.number, std::make_shared<const OpenTiffFile>(
                               OpenTiffFile{*std::move(file), kept.file->pages, kept.file->watch}));
  }
  return made;
}

void TiffFiles::keep(std::size_t number, std::shared_ptr<const OpenTiffFile> file) {
  remember(number, *file);
  if (kept_.size() >= kMostOpen) kept_.pop_front();
  kept_.push_back({number, std::move(file)});
}

std::optional<TiffFiles::Seen> TiffFiles::seen(std::size_t number) const {
  const std::lock_guard lock(known_->mutex);
  return number < known_->files.size() ? known_->files[number] : std::nullopt;
}

void TiffFiles::remember(std::size_t number, const OpenTiffFile& file) {
  const std::lock_guard lock(known_->mutex);
  if (known_->files.size() <= number) known_->files.resize(std::max(number + 1, count()));
  std::optional<Seen>& seen = known_->files[number];
  // The state when the file was first opened counts.
  if (seen) return;
  seen = Seen{file.watch.before(), file.pages->pages.size() > 1 ? file.pages : nullptr};
}

}  // namespace aprscope
