#include "core/io/image_source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <new>
#include <stdexcept>
#include <system_error>

#include "core/io/apr_file.hpp"
#include "core/io/apr_header.hpp"
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
bool has_hdf5_signature(std::ifstream& in) {
  constexpr char signature[] = "\x89HDF\r\n\x1a\n";
  for (std::streamoff at = 0; at <= (1 << 20); at = at == 0 ? 512 : at * 2) {
    char bytes[8] = {};
    in.clear();
    in.seekg(at);
    in.read(bytes, sizeof bytes);
    if (in.gcount() != sizeof bytes) return false;
    if (std::memcmp(bytes, signature, sizeof bytes) == 0) return true;
  }
  return false;
}

Result<Content> content_of(const fs::path& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (status.type() == fs::file_type::not_found) {
    return file_error(path, "does not exist", "check the name");
  }
  if (status.type() == fs::file_type::none || status.type() == fs::file_type::unknown) {
    return file_error(path, "cannot be opened (" + code.message() + ")", "check the permissions");
  }
  if (fs::is_directory(status)) return file_error(path, "is a folder", "choose a file in it");
  if (!fs::is_regular_file(status)) {
    return file_error(path, "is not a regular file", "choose an image file");
  }
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return file_error(path, std::string("cannot be opened (") + std::strerror(errno) + ")",
                      "check the permissions");
  }
  char head[4] = {};
  in.read(head, sizeof head);
  if (in.gcount() == 0) {
    if (fs::file_size(path, code) == 0 && !code) {
      return file_error(path, "is empty", "get the file again from its source");
    }
    return file_error(path, "cannot be read", "check the permissions and the disk");
  }
  for (const char* magic : {"II*\0", "MM\0*", "II+\0", "MM\0+"}) {
    if (std::memcmp(head, magic, sizeof head) == 0) return Content::tiff;
  }
  if (has_hdf5_signature(in)) return Content::hdf5;
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
    return inspect_tiff(target.path);
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

// What containers and strings throw when a file makes them too large must not leave the folder.
template <class R, class Call>
R guarded(const std::string& name, const Call& call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {
  } catch (const std::exception& error) {
    return Error{std::string("cannot be read (") + error.what() + ")", name, "check the file"};
  }
  return Error{"cannot be read: out of memory", name, "close other data"};
}

}  // namespace

Result<SourceInfo> inspect(const std::string& path, const JobContext& context) {
  return guarded<Result<SourceInfo>>(path,
                                     [&] { return inspect_target(split_dataset(path), context); });
}

Result<Data> load(const SourceInfo& info, const SourceSelection& selection,
                  const JobContext& context) {
  return guarded<Result<Data>>(info.path.string(),
                               [&] { return load_target(info, selection, context); });
}

Result<std::unique_ptr<SliceSource>> open_slices(const SourceInfo& info,
                                                 const SourceSelection& selection) {
  using Opened = Result<std::unique_ptr<SliceSource>>;
  return guarded<Opened>(info.path.string(), [&]() -> Opened {
    if (info.is_apr) return file_error(info.path, "holds particles", "choose a pixel image");
    return info.dataset.empty() ? open_tiff_slices(info, selection)
                                : open_hdf5_slices(info, selection);
  });
}

Result<Data> load_file(const std::string& path, const JobContext& context) {
  auto info = inspect(path, context);
  if (!info) return info.error();
  return load(*info, {}, context);
}

}  // namespace aprscope
