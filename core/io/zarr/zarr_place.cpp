#include "core/io/zarr/zarr_place.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/temporary.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

Error place_error(const fs::path& path, const std::string& what, int code) {
  return {what + " (" + std::strerror(code) + ")", path.string(),
          "free some space or choose another folder"};
}

// The folder that a name leads to, also through links; nothing that is no store is replaced.
Result<fs::path> place_for(const fs::path& target) {
  std::error_code code;
  fs::path path = target;
  while (!path.has_filename() && path.has_parent_path()) path = path.parent_path();
  if (fs::is_symlink(path, code)) {
    path = fs::canonical(path, code);
    if (code) return place_error(target, "is a link to nothing", code.value());
  }
  const auto status = fs::status(path, code);
  if (status.type() == fs::file_type::not_found) return path;
  if (code) return place_error(path, "cannot be written", code.value());
  bool ours = fs::is_directory(status) && fs::is_empty(path, code);
  for (const char* name : {".zgroup", ".zarray", "zarr.json"}) {
    ours = ours || fs::is_regular_file(path / name, code);
  }
  if (ours) return path;
  return Error{"is there already and is no folder of Zarr", path.string(), "choose another name"};
}

Status on_disk(const fs::path& folder) {
  const OpenFile open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!open) return place_error(folder, "cannot be written", errno);
  if (::syncfs(open.get()) != 0) return place_error(folder, "cannot be written", errno);
  return {};
}

}  // namespace

Status make_zarr_folder(const fs::path& target,
                        const std::function<Status(const fs::path&)>& fill) {
  const auto place = place_for(target);
  if (!place) return place.error();
  const auto parts = PartsFolder::create(*place);
  if (!parts) return parts.error();
  const fs::path made = parts->path() / "new";
  if (::mkdir(made.c_str(), 0777) != 0) return place_error(made, "cannot be written", errno);
  if (Status filled = fill(made); !filled) return filled;
  if (Status safe = on_disk(made); !safe) return safe;
  std::error_code code;
  if (!fs::exists(*place, code) || fs::is_empty(*place, code)) {
    if (::rename(made.c_str(), place->c_str()) == 0) return {};
    return place_error(*place, "cannot be put in its place", errno);
  }
  // Both change names at once; what was there goes with the parts.
  if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, place->c_str(), RENAME_EXCHANGE) == 0)
    return {};
  return place_error(*place, "cannot be replaced in one step", errno);
}

}  // namespace aprscope
