#include "core/io/common/read_files.hpp"

#include "core/io/common/file_watch.hpp"

namespace aprscope {
namespace {

constexpr std::size_t kMostFiles = std::size_t{1} << 18U;

std::optional<FileState> now(const std::filesystem::path& path) {
  const auto state = state_of(path);
  return state ? std::optional(*state) : std::nullopt;
}

}  // namespace

Status ReadFiles::note(const std::string& name, const std::optional<FileState>& state) {
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(name);
  if (found != files_.end()) {
    if (found->second == state) return {};
    return changed_file(folder_ / name, found->second, state);
  }
  if (files_.size() >= kMostFiles) return {};
  order_.push_back(&*files_.emplace(name, state).first);
  return {};
}

Status ReadFiles::unchanged(std::size_t first) const {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = first; i < order_.size(); ++i) {
    const auto& [name, before] = *order_[i];
    const std::filesystem::path path = folder_ / name;
    const auto state = now(path);
    if (state != before) return changed_file(path, before, state);
  }
  return {};
}

std::size_t ReadFiles::count() const {
  const std::lock_guard lock(mutex_);
  return order_.size();
}

}  // namespace aprscope
