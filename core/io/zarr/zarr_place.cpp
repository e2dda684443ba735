#include "core/io/zarr/zarr_place.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/memory_error.hpp"
#include "core/base/printable.hpp"
#include "core/base/temporary.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

Error place_error(const fs::path& path, const std::string& what, int code) {
  return {what + " (" + std::strerror(code) + ")", path.string(),
          "free some space or choose another folder"};
}

bool is_number(const std::string& name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

bool is_real(const fs::path& path, fs::file_type type) {
  std::error_code code;
  return fs::symlink_status(path, code).type() == type;
}

// The first entry of a folder that `ours` does not know; "" where there is none.
template <class Ours>
Result<std::string> foreign_in(const fs::path& folder, const Ours& ours) {
  std::error_code code;
  fs::directory_iterator at(folder, code);
  for (; !code && at != fs::directory_iterator(); at.increment(code)) {
    std::string name = at->path().filename().string();
    if (!ours(name)) return name;
  }
  throw_without_memory(code);
  if (code) return place_error(folder, "cannot be listed", code.value());
  return std::string();
}

// An array as it is written here: its description and folders of chunks.
Result<std::string> foreign_in_array(const fs::path& array) {
  const bool old = is_real(array / ".zarray", fs::file_type::regular);
  auto foreign = foreign_in(array, [&](const std::string& name) {
    return old ? name == ".zarray" || is_number(name) : name == "zarr.json" || name == "c";
  });
  if (foreign && foreign->empty() && !old &&
      !is_real(array / "zarr.json", fs::file_type::regular)) {
    return std::string(".");
  }
  return foreign;
}

// Name of something in a store that is no part of a single image, such as labels or a plate:
// replacing the store would lose it. "": there is nothing.
Result<std::string> foreign_in_store(const fs::path& store) {
  Status failed;
  auto foreign = foreign_in(store, [&](const std::string& name) {
    for (const char* group : {".zgroup", ".zattrs", "zarr.json"}) {
      if (name == group) return is_real(store / name, fs::file_type::regular);
    }
    if (!is_number(name) || !is_real(store / name, fs::file_type::directory)) return false;
    const auto inside = foreign_in_array(store / name);
    if (!inside) failed = inside.error();
    return inside && inside->empty();
  });
  if (!failed) return failed.error();
  return foreign;
}

// The folder that a name leads to, also through links; only a store that could have been written
// here is replaced.
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
  if (fs::is_directory(status) && fs::is_empty(path, code)) return path;
  if (!fs::is_regular_file(path / ".zgroup", code) &&
      !fs::is_regular_file(path / "zarr.json", code)) {
    return Error{"is there already and is no folder of OME-Zarr", path.string(),
                 "choose another name"};
  }
  const auto foreign = foreign_in_store(path);
  if (!foreign) return foreign.error();
  if (foreign->empty()) return path;
  return Error{"is there already and holds more than one image (" +
                   printable(foreign->substr(0, 100)) + "), which is not replaced",
               path.string(), "choose another name"};
}

// For systems that cannot exchange names: for a moment no folder of that name exists, and if the
// program ends then, the old folder stays beside it as ".old".
Status replace_in_two_steps(const fs::path& made, const fs::path& place, const fs::path& waste) {
  const fs::path old = place.string() + ".old";
  if (::rename(place.c_str(), old.c_str()) != 0) {
    return place_error(place, "cannot be replaced", errno);
  }
  if (::rename(made.c_str(), place.c_str()) != 0) {
    const int reason = errno;
    if (::rename(old.c_str(), place.c_str()) == 0) {
      return place_error(place, "cannot be replaced", reason);
    }
    return Error{"cannot be put in its place", place.string(),
                 "the one before is " + printable(old.filename().string()) + " now"};
  }
  if (::rename(old.c_str(), waste.c_str()) == 0) return {};
  return place_error(old, "was replaced and cannot be removed", errno);
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
  // Exchanges both names at once; the old folder is then removed with the parts.
  if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, place->c_str(), RENAME_EXCHANGE) == 0)
    return {};
  if (errno != EINVAL && errno != ENOSYS) {
    return place_error(*place, "cannot be replaced in one step", errno);
  }
  return replace_in_two_steps(made, *place, parts->path() / "old");
}

}  // namespace aprscope
