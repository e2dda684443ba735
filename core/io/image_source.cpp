#include "core/io/image_source.hpp"

#include <system_error>

#include "core/io/bdv/bdv_views.hpp"
#include "core/io/common/file_watch.hpp"
#include "core/io/common/guarded.hpp"
#include "core/io/common/read_exactly.hpp"
#include "core/io/formats.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

struct Target {
  fs::path path;
  std::string dataset;
};

// "file.h5:/group/volume" names a dataset, unless a file of that whole name exists.
Target split_dataset(const std::string& text) {
  std::error_code code;
  if (fs::exists(text, code)) return {text, ""};
  for (auto at = text.rfind(":/"); at != std::string::npos && at > 0;
       at = text.rfind(":/", at - 1)) {
    const fs::path path = text.substr(0, at);
    if (fs::is_regular_file(path, code) || fs::is_directory(path, code)) {
      return {path, text.substr(at + 1)};
    }
  }
  return {text, ""};
}

Result<SourceInfo> inspect_target(const Target& target, const JobContext& context) {
  auto probe = Probe::open(image_path(target.path), target.dataset, context);
  if (!probe) return probe.error();
  const auto format = find_format(formats(), *probe);
  if (!format) return format.error();
  // Pixels that a file beside them describes open by that, unless an array is named.
  const bool may_be_described = (*format)->id == "hdf5" || (*format)->id == "zarr";
  if (may_be_described && target.dataset.empty()) {
    if (const auto xml = bdv_xml_of(probe->path())) {
      auto described = inspect_target({*xml, ""}, context);
      // Pixels whose description is wrong are still pixels.
      if (described || described.error().cancelled()) return described;
    }
  }
  auto info = (*format)->inspect(*probe);
  if (info) info->format_id = (*format)->id;
  return info;
}

// The format that inspect() has found.
Result<const Format*> format_of(const SourceInfo& info) {
  if (const Format* format = format_by_id(info.format_id)) return format;
  return Error{"is of no known format", info.path.string(), "open the file again"};
}

// The path whose change means a change of the image.
fs::path watched(const Format& format, const SourceInfo& info) {
  return format.watched ? format.watched(info) : info.path;
}

Error whole_only(const SourceInfo& info) {
  return {"is a table of projections, which is not read slice by slice", info.path.string(),
          "choose the stack of images that it names"};
}

}  // namespace

bool names_dataset(const std::string& path) { return !split_dataset(path).dataset.empty(); }

fs::path image_path(const fs::path& given) {
  fs::path path = given;
  if (!path.has_filename() && path.has_parent_path()) path = path.parent_path();
  const std::string name = path.filename().string();
  std::error_code code;
  if ((name == "zarr.json" || name == ".zattrs" || name == ".zgroup" || name == ".zarray") &&
      fs::is_regular_file(path, code)) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
  }
  return path;
}

Result<SourceInfo> inspect(const std::string& path, const JobContext& context) {
  return guarded(path, [&] { return inspect_target(split_dataset(path), context); });
}

Result<Data> load(const SourceInfo& info, const SourceSelection& selection,
                  const JobContext& context) {
  return guarded(info.path.string(), [&]() -> Result<Data> {
    const auto format = format_of(info);
    if (!format) return format.error();
    const auto watch = FileWatch::begin(watched(**format, info));
    if (!watch) return watch.error();
    auto data = (*format)->load(info, selection, context);
    // An error of reading may come from a change of the file: report the change instead.
    if (Status same = watch->unchanged(); !same && (data || !data.error().cancelled())) {
      return same.error();
    }
    return data;
  });
}

bool reads_slices(const SourceInfo& info) {
  const Format* format = format_by_id(info.format_id);
  return format != nullptr && static_cast<bool>(format->slices);
}

Result<std::unique_ptr<SliceSource>> open_slices(const SourceInfo& info,
                                                 const SourceSelection& selection) {
  using Opened = Result<std::unique_ptr<SliceSource>>;
  return guarded(info.path.string(), [&]() -> Opened {
    const auto format = format_of(info);
    if (!format) return format.error();
    if ((*format)->particles) {
      return Error{"holds particles", info.path.string(), "choose a pixel image"};
    }
    if (!(*format)->slices) return whole_only(info);
    auto watch = FileWatch::begin(watched(**format, info));
    if (!watch) return watch.error();
    auto source = (*format)->slices(info, selection);
    if (!source) return source;
    return watched_slices(*std::move(source), *std::move(watch));
  });
}

Status read_exactly(const SourceInfo& info, const SourceSelection& selection,
                    const SliceVisitor& visit, const JobContext& context) {
  return guarded(info.path.string(), [&]() -> Status {
    const auto format = format_of(info);
    if (!format) return format.error();
    if ((*format)->particles) {
      return Error{"holds particles", info.path.string(), "choose a pixel image"};
    }
    if (!(*format)->exactly) return whole_only(info);
    const auto watch = FileWatch::begin(watched(**format, info));
    if (!watch) return watch.error();
    Status read = (*format)->exactly(info, selection, visit, context);
    if (Status same = watch->unchanged(); !same && (read || !read.error().cancelled())) {
      return same;
    }
    return read;
  });
}

Result<Data> load_file(const std::string& path, const JobContext& context) {
  auto info = inspect(path, context);
  if (!info) return info.error();
  return load(*info, {}, context);
}

}  // namespace aprscope
