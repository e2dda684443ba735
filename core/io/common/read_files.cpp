#include "core/io/common/read_files.hpp"

#include "core/io/common/file_watch.hpp"

namespace aprscope {
namespace {

constexpr std::size_t kMostFiles = std::size_t{1} << 20U;

std::optional<FileState> now(const std::filesystem::path& path) {
  const auto state = state_of(path);
  return state ? std::optional(*state) : std::nullopt;
}

}  // namespace

Status ReadFiles::note(const std::filesystem::path& folder, const std::string& name,
                       const std::optional<FileState>& state) {
  std::filesystem::path path = folder / name;
  const std::lock_guard lock(mutex_);
  const auto found = places_.find(path.native());
  if (found != places_.end()) {
    const Noted& before = files_[found->second];
    return before.state == state ? Status() : changed_file(path, before.state, state);
  }
  if (files_.size() >= kMostFiles) return {};
  places_.emplace(path.native(), files_.size());
  files_.push_back({std::move(path), state});
  return {};
}

Status ReadFiles::unchanged(std::size_t first) const {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = first; i < files_.size(); ++i) {
    const auto state = now(files_[i].path);
    if (state != files_[i].state) return changed_file(files_[i].path, files_[i].state, state);
  }
  return {};
}

std::size_t ReadFiles::count() const {
  const std::lock_guard lock(mutex_);
  return files_.size();
}

}  // namespace aprscope
