#include "core/io/zarr/zarr_store.hpp"

#include <algorithm>
#include <system_error>

#include "core/base/memory_error.hpp"

namespace aprscope {
namespace {

namespace fs = std::filesystem;

// Whether `path` is `folder` or lies below it; links of both must be resolved.
bool lies_in(const fs::path& path, const fs::path& folder) {
  const auto [rest, ignored] =
      std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return rest == folder.end();
}

Error changed(const RegularFile& file) {
  return {"changed while it was read", file.path().string(),
          "wait until it is written, then open it again"};
}

}  // namespace

Error ocdbt_error(const fs::path& path) {
  return {
      "keeps its arrays in an OCDBT database of TensorStore, which is not read", path.string(),
      "copy them to plain Zarr (in TensorStore, a kvstore of driver file), then open that folder"};
}

Status unchanged(const RegularFile& file, const FileState& before) {
  const auto now = file.state();
  if (!now) return now.error();
  if (*now != before) return changed(file);
  return {};
}

bool stays_inside(const std::string& key) {
  if (key.find('\0') != std::string::npos) return false;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = std::min(key.find('/', begin), key.size());
    const std::string part = key.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") return false;
    if (end == key.size()) return true;
    begin = end + 1;
  }
}

std::string joined_key(const std::string& folder, const std::string& name) {
  if (folder.empty() || name.empty()) return folder + name;
  return folder + "/" + name;
}

Result<ZarrStore> ZarrStore::open(const fs::path& folder) {
  std::error_code code;
  fs::path real = fs::canonical(folder, code);
  if (code || !fs::is_directory(real, code)) {
    return Error{"is not a folder that can be read", folder.string(), "check its name and rights"};
  }
  return ZarrStore(folder, std::move(real));
}

Result<std::optional<RegularFile>> ZarrStore::find(const std::string& key) const {
  const Error outside{"names a file outside of its folder (" + key + "), which is not read",
                      path_.string(), "get the data again from its source"};
  if (!stays_inside(key)) return outside;
  std::error_code code;
  const fs::path real = fs::canonical(real_ / key, code);
  if (code == std::errc::no_such_file_or_directory || code == std::errc::not_a_directory) {
    // A link to data that were not fetched must not look like a chunk that was left out.
    std::error_code ignored;
    if (fs::is_symlink(real_ / key, ignored)) {
      return Error{"is a link to a file that is not there", (path_ / key).string(),
                   "fetch the data that it stands for"};
    }
    if (Status same = files_->note(key, std::nullopt); !same) return same.error();
    return std::optional<RegularFile>();
  }
  throw_without_memory(code);
  if (code) {
    return Error{"cannot be read (" + code.message() + ")", (path_ / key).string(),
                 "check its rights"};
  }
  if (!lies_in(real, real_)) return outside;
  auto file = open_regular(real);
  if (!file) return file.error();
  const auto state = file->state();
  if (!state) return state.error();
  if (Status same = files_->note(key, *state); !same) return same.error();
  return std::optional<RegularFile>(*std::move(file));
}

Result<std::optional<std::vector<std::uint8_t>>> ZarrStore::read(const std::string& key,
                                                                 std::uint64_t most) const {
  using Bytes = std::optional<std::vector<std::uint8_t>>;
  auto found = find(key);
  if (!found) return found.error();
  if (!*found) return Bytes();
  const RegularFile& file = **found;
  const auto state = file.state();
  if (!state) return state.error();
  if (state->bytes > most) {
    return Error{"has " + std::to_string(state->bytes) + " bytes, more than belong there",
                 file.path().string(), "get the data again from its source"};
  }
  std::vector<std::uint8_t> bytes(state->bytes);
  const auto got = file.read_at(0, bytes.data(), bytes.size());
  if (!got) return got.error();
  if (Status same = unchanged(file, *state); !same) return same.error();
  if (*got != bytes.size()) return changed(file);
  return Bytes(std::move(bytes));
}

std::vector<std::string> ZarrStore::folders(const std::string& key, std::size_t most) const {
  std::vector<std::string> names;
  if (!key.empty() && !stays_inside(key)) return names;
  std::error_code code;
  fs::directory_iterator at(real_ / key, fs::directory_options::skip_permission_denied, code);
  for (; !code && at != fs::directory_iterator() && names.size() < most; at.increment(code)) {
    std::error_code ignored;
    if (at->is_symlink(ignored) || !at->is_directory(ignored)) continue;
    std::string name = at->path().filename().string();
    if (name.front() != '.') names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace aprscope
