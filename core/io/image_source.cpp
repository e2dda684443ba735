#include "core/io/image_source.hpp"

#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include "core/base/memory_error.hpp"
#include "core/base/regular_file.hpp"
#include "core/io/apr_file.hpp"
#include "core/io/apr_header.hpp"
#include "core/io/file_watch.hpp"
#include "core/io/hdf5_volume.hpp"
#include "core/io/tiff_volume.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

enum class Content { tiff, hdf5 };

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
    if (fs::is_regular_file(path, code)) return {path, text.substr(at + 1)};
  }
  return {text, ""};
}

Error file_error(const fs::path& path, const std::string& what, const std::string& advice) {
  return {what, path.string(), advice};
}

// An HDF5 file may begin with a user block of 512, 1024, 2048, … bytes.
bool has_hdf5_signature(const RegularFile& file) {
  constexpr char signature[] = "\x89HDF\r\n\x1a\n";
  for (std::uint64_t at = 0; at <= (1U << 20U); at = at == 0 ? 512 : at * 2) {
    char bytes[8] = {};
    const auto got = file.read_at(at, bytes, sizeof bytes);
    if (!got || *got != sizeof bytes) return false;
    if (std::memcmp(bytes, signature, sizeof bytes) == 0) return true;
  }
  return false;
}

Result<Content> content_of(const fs::path& path) {
  const auto file = open_regular(path);
  if (!file) return file.error();
  char head[4] = {};
  const auto got = file->read_at(0, head, sizeof head);
  if (!got) return got.error();
  if (*got == 0) return file_error(path, "is empty", "get the file again from its source");
  for (const char* magic : {"II*\0", "MM\0*", "II+\0", "MM\0+"}) {
    if (std::memcmp(head, magic, sizeof head) == 0) return Content::tiff;
  }
  if (has_hdf5_signature(*file)) return Content::hdf5;
  return file_error(path, "is not a TIFF, HDF5 or APR file",
                    "save the image as TIFF, or choose another file");
}

Result<SourceInfo> inspect_target(const Target& target, const JobContext& context) {
  const auto content = content_of(target.path);
  if (!content) return content.error();
  if (*content == Content::tiff) {
    if (!target.dataset.empty()) {
      return file_error(target.path, "is a TIFF file and has no dataset " + target.dataset,
                        "leave the dataset out");
    }
    return inspect_tiff(target.path, context);
  }
  auto held = inspect_container(target.path, target.dataset, context);
  if (!held) return held.error();
  if (held->particles) return inspect_apr(held->reader);
  return std::move(held->info);
}

Result<Data> load_target(const SourceInfo& info, const SourceSelection& selection,
                         const JobContext& context) {
  if (info.is_apr) {
    auto apr = load_apr(info, selection, context);
    if (!apr) return apr.error();
    return Data(std::move(*apr));
  }
  auto volume = info.dataset.empty() ? load_tiff(info, selection, context)
                                     : load_hdf5(info, selection, context);
  if (!volume) return volume.error();
  return Data(std::move(*volume));
}

// What the libraries of formats throw must not leave the folder.
template <class Call>
auto guarded(const std::string& name, const Call& call) -> decltype(call()) {
  try {
    return with_memory_errors(name, call);
  } catch (const std::bad_alloc&) {
    throw;  // there was no memory for the message either
  } catch (const std::exception& error) {
    return Error{std::string("cannot be read (") + error.what() + ")", name, "check the file"};
  }
}

}  // namespace

Result<SourceInfo> inspect(const std::string& path, const JobContext& context) {
  return guarded(path, [&] { return inspect_target(split_dataset(path), context); });
}

Result<Data> load(const SourceInfo& info, const SourceSelection& selection,
                  const JobContext& context) {
  return guarded(info.path.string(), [&]() -> Result<Data> {
    const auto watch = FileWatch::begin(info.path);
    if (!watch) return watch.error();
    auto data = load_target(info, selection, context);
    // What a file that changes makes of reading it is not the file's fault.
    if (Status same = watch->unchanged(); !same && (data || !data.error().cancelled())) {
      return same.error();
    }
    return data;
  });
}

Result<std::unique_ptr<SliceSource>> open_slices(const SourceInfo& info,
                                                 const SourceSelection& selection) {
  using Opened = Result<std::unique_ptr<SliceSource>>;
  return guarded(info.path.string(), [&]() -> Opened {
    if (info.is_apr) return file_error(info.path, "holds particles", "choose a pixel image");
    auto watch = FileWatch::begin(info.path);
    if (!watch) return watch.error();
    auto source = info.dataset.empty() ? open_tiff_slices(info, selection)
                                       : open_hdf5_slices(info, selection);
    if (!source) return source;
    return watched_slices(*std::move(source), *std::move(watch));
  });
}

Result<Data> load_file(const std::string& path, const JobContext& context) {
  auto info = inspect(path, context);
  if (!info) return info.error();
  return load(*info, {}, context);
}

}  // namespace aprscope
