#include "core/io/tiff/tiff_files.hpp"

#include <algorithm>
#include <utility>

#include "core/base/printable.hpp"
#include "core/io/common/path_inside.hpp"

namespace aprscope {
namespace {

// Slices come in order, and so do files; a few more where channels take turns.
constexpr std::size_t kMostOpen = 4;

}  // namespace

Result<std::shared_ptr<const OpenTiffFile>> open_tiff_file(const std::filesystem::path& path,
                                                           const JobContext& context) {
  auto watch = FileWatch::begin(path);
  if (!watch) return watch.error();
  auto file = TiffFile::open_for_reading(path);
  if (!file) return file.error();
  auto pages = read_tiff_pages(*file, context);
  if (!pages) return pages.error();
  return std::shared_ptr<const OpenTiffFile>(std::make_shared<OpenTiffFile>(OpenTiffFile{
      *std::move(file), std::make_shared<const TiffPages>(*std::move(pages)), *std::move(watch)}));
}

Result<std::shared_ptr<const OpenTiffFile>> TiffFiles::open(std::size_t number,
                                                            const JobContext& context) {
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const Kept& kept) { return kept.number == number; });
  if (found != kept_.end()) return found->file;
  std::filesystem::path path = first_;
  if (number > 0) {
    const std::string& name = others_[number - 1];
    // Beside is not below.
    if (std::filesystem::path(name).has_parent_path()) {
      return Error{"needs " + printable(name.substr(0, 200)) + ", which is not a file beside it",
                   first_.string(), "put all files of the set into one folder"};
    }
    auto inside = path_inside(first_.parent_path(), name, first_.string());
    if (!inside) return inside.error();
    // As its user knows it.
    path = first_.parent_path() / name;
  }
  auto opened = open_tiff_file(path, context);
  if (opened) keep(number, *opened);
  return opened;
}

Result<TiffFiles> TiffFiles::another() const {
  TiffFiles made(first_);
  made.others_ = others_;
  for (const Kept& kept : kept_) {
    auto file = kept.file->file.another();
    if (!file) return file.error();
    made.keep(kept.number, std::make_shared<const OpenTiffFile>(
                               OpenTiffFile{*std::move(file), kept.file->pages, kept.file->watch}));
  }
  return made;
}

void TiffFiles::keep(std::size_t number, std::shared_ptr<const OpenTiffFile> file) {
  if (kept_.size() >= kMostOpen) kept_.pop_front();
  kept_.push_back({number, std::move(file)});
}

}  // namespace aprscope
