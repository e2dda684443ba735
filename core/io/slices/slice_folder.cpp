#include "core/io/slices/slice_folder.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/memory_error.hpp"
#include "core/base/printable.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 1000000;

bool is_tiff_name(const std::string& name) {
  // Names that begin with a dot are notes of file managers.
  if (name.empty() || name.front() == '.') return false;
  std::string lower;
  for (const char c : name) {
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lower.ends_with(".tif") || lower.ends_with(".tiff");
}

// Names of TIFF files in a folder, up to `most`.
Result<std::vector<std::string>> tiff_names(const fs::path& folder, std::size_t most,
                                            const JobContext& context) {
  std::vector<std::string> names;
  std::error_code code;
  fs::directory_iterator at(folder, code);
  for (; !code && at != fs::directory_iterator() && names.size() < most; at.increment(code)) {
    if (context.stop_requested()) return cancelled_error();
    std::string name = at->path().filename().string();
    std::error_code ignored;
    if (!is_tiff_name(name) || at->is_directory(ignored)) continue;
    names.push_back(std::move(name));
  }
  throw_without_memory(code);
  if (code) {
    return Error{"cannot be listed (" + code.message() + ")", folder.string(), "check its rights"};
  }
  return names;
}

bool is_store(const fs::path& folder) {
  std::error_code code;
  for (const char* name : {"zarr.json", ".zgroup", ".zarray", ".zattrs", "attributes.json"}) {
    if (fs::exists(folder / name, code)) return true;
  }
  return false;
}

bool holds_store(const fs::path& folder) {
  std::error_code code;
  fs::directory_iterator at(folder, code);
  for (; !code && at != fs::directory_iterator(); at.increment(code)) {
    std::error_code ignored;
    if (at->is_directory(ignored) && is_store(at->path())) return true;
  }
  throw_without_memory(code);
  return false;
}

SliceNames alone(const std::string& file) {
  SliceNames names;
  names.name = file;
  names.files = {file};
  return names;
}

Result<TiffSeries> series_of(const fs::path& folder, const std::string& file,
                             const JobContext& context) {
  const auto inside = tiff_file_in(folder, file, (folder / file).string());
  if (!inside) return inside.error();
  const auto open = open_tiff_file(folder / file, context);
  if (!open) return open.error();
  return arrange_tiff(*(*open)->pages, folder / file);
}

// Files of OME-TIFF may name others, whatever these are called.
bool may_name_others(const std::string& file) { return file.find(".ome.") != std::string::npos; }

// Adds the images that the files of one series of names are, but for files in `taken`, which gets
// those that belong to the images.
void add_images(const fs::path& folder, SliceNames names, const JobContext& context,
                std::set<std::string>& taken, std::vector<SliceNames>& images) {
  const std::size_t before = names.files.size();
  std::erase_if(names.files, [&](const std::string& file) { return taken.count(file) > 0; });
  if (names.files.empty()) return;
  if (names.files.size() < before) {
    names.name = names.files.front();
    names.problem.clear();
    if (names.files.size() > 1) {
      for (const std::string& file : names.files) {
        add_images(folder, alone(file), context, taken, images);
      }
      return;
    }
  }
  if (names.files.size() > (may_name_others(names.files.front()) ? 0 : 1) &&
      !context.stop_requested()) {
    const std::string first = names.files.front();
    const auto series = series_of(folder, first, context);
    // Errors of the file do not matter here: they are reported when its image is opened.
    if (series && !series->others.empty()) {
      images.push_back(alone(first));
      taken.insert(first);
      taken.insert(series->others.begin(), series->others.end());
      // The files that are left are no grid of slices any more, but may be further sets.
      for (const std::string& file : names.files) {
        add_images(folder, alone(file), context, taken, images);
      }
      return;
    }
    // If files hold stacks or several channels, each file is an image of its own.
    if (series && names.files.size() > 1 &&
        (series->size.z * series->times > 1 || series->plane_channels > 1)) {
      for (const std::string& file : names.files) images.push_back(alone(file));
      return;
    }
  }
  images.push_back(std::move(names));
}

// Channels of the names and of each file's pixels.
std::vector<std::string> channel_names(const SliceNames& names, const TiffSeries& series) {
  std::vector<std::string> made;
  for (const std::string& number : names.channels) {
    for (const std::string& own : series.channels) {
      made.push_back(number.empty()                ? own
                     : series.channels.size() == 1 ? number
                                                   : number + " " + own);
    }
  }
  return made;
}

}  // namespace

bool holds_slices(const fs::path& folder) {
  if (is_store(folder)) return false;
  const auto names = tiff_names(folder, 2, {});
  if (!names || names->empty()) return false;
  return names->size() > 1 || !holds_store(folder);
}

Result<std::vector<SliceNames>> images_in(const fs::path& folder, const JobContext& context) {
  auto files = tiff_names(folder, kMostFiles + 1, context);
  if (!files) return files.error();
  if (files->empty()) {
    return Error{"is a folder without TIFF files", folder.string(), "choose a file in it"};
  }
  if (files->size() > kMostFiles) {
    return Error{"has more than a million TIFF files", folder.string(),
                 "sort them into folders of one image each"};
  }
  std::vector<SliceNames> images;
  std::set<std::string> taken;
  for (SliceNames& names : slice_names(*std::move(files))) {
    add_images(folder, std::move(names), context, taken, images);
    if (context.stop_requested()) return cancelled_error();
  }
  return images;
}

Result<SliceNames> chosen_image(const std::vector<SliceNames>& images, const std::string& dataset,
                                const fs::path& folder) {
  std::string asked = dataset;
  while (asked.starts_with('/')) asked.erase(0, 1);
  const auto found =
      asked.empty() ? std::max_element(images.begin(), images.end(),
                                       [](const SliceNames& a, const SliceNames& b) {
                                         return a.files.size() < b.files.size();
                                       })
                    : std::find_if(images.begin(), images.end(),
                                   [&](const SliceNames& names) { return names.name == asked; });
  if (found != images.end()) return *found;
  return Error{"has no images called \"" + printable(asked) + "\"", folder.string(),
               "list them with info, and choose one of them"};
}

Result<TiffImage> open_slice_image(const fs::path& folder, const SliceNames& names,
                                   const JobContext& context) {
  if (!names.problem.empty()) {
    return Error{names.problem, (folder / names.name).string(),
                 "put the file there, or move those that do not belong to the image elsewhere"};
  }
  const fs::path first = folder / names.files.front();
  const auto inside = tiff_file_in(folder, names.files.front(), first.string());
  if (!inside) return inside.error();
  if (names.files.size() == 1) return open_tiff_image(first, context);

  const auto file = open_tiff_file(first, context);
  if (!file) return file.error();
  auto one = arrange_tiff(*(*file)->pages, first);
  if (!one) return one.error();
  if (one->size.z * one->times != 1 || one->page.empty() || one->plane_channels != 1) {
    return Error{"holds more than the one slice that its name says", first.string(),
                 "open the file itself, or choose it in the list of the folder's images"};
  }
  std::error_code code;
  std::string name = fs::absolute(folder, code).lexically_normal().filename().string();
  if (name.empty()) name = names.name;
  TiffImage image{*std::move(one), TiffFiles(first), std::move(name)};
  TiffSeries& series = image.series;
  series.format = "TIFF slices";
  series.size.z = names.slices;
  series.times = names.times;
  series.channels = channel_names(names, series);
  series.plane_channels = std::ssize(names.channels);
  series.pages_each = (*file)->pages->pages.size();
  series.page.assign(names.files.size(), series.page.front());
  series.file.resize(names.files.size());
  for (std::size_t i = 0; i < names.files.size(); ++i) {
    series.file[i] = static_cast<std::int32_t>(i);
  }
  series.others.assign(names.files.begin() + 1, names.files.end());
  image.files.set_others(series.others);
  image.files.keep(0, *file);
  return image;
}

}  // namespace aprscope
