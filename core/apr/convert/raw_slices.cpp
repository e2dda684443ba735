#include "core/apr/convert/raw_slices.hpp"

#include <algorithm>
#include <string>
#include <variant>

namespace aprscope {
namespace {

Error not_finite_error(const NonFinite& found, const std::string& name) {
  return {non_finite_text(found), name.empty() ? "image" : name,
          "replace them, or scale the image, before converting"};
}

}  // namespace

RawSlices::RawSlices(const Volume& volume) : volume_(&volume) {}

Size3 RawSlices::size() const { return volume_ != nullptr ? volume_->size() : source_->size(); }

SampleKind RawSlices::kind() const {
  return volume_ != nullptr ? static_cast<SampleKind>(volume_->pixels.index()) : source_->kind();
}

Status RawSlices::get(std::int64_t begin, std::int64_t end, std::vector<const void*>& out,
                      const JobContext& context) {
  const Size3 n = size();
  const std::size_t bytes = static_cast<std::size_t>(n.x * n.y) * sample_bytes(kind());
  out.clear();
  if (volume_ != nullptr) {
    const char* const all = std::visit(
        [](const auto& pixels) { return reinterpret_cast<const char*>(pixels.values.data()); },
        volume_->pixels);
    for (std::int64_t z = begin; z < end; ++z)
      out.push_back(all + static_cast<std::size_t>(z) * bytes);
    return {};
  }
  if (begin == 0 && next_ > end) {
    next_ = 0;
    for (Held& held : held_) held.z = -1;
  }
  next_ = std::max(next_, begin);
  for (; next_ < end; ++next_) {
    auto free =
        std::find_if(held_.begin(), held_.end(), [&](const Held& h) { return h.z < begin; });
    if (free == held_.end()) {
      held_.push_back({-1, Scratch<char>(static_cast<std::int64_t>(bytes))});
      free = held_.end() - 1;
    }
    if (Status read = source_->read(next_, free->memory.data(), context); !read) return read;
    free->z = next_;
  }
  out.resize(static_cast<std::size_t>(end - begin));
  for (const Held& held : held_) {
    if (held.z >= begin && held.z < end) {
      out[static_cast<std::size_t>(held.z - begin)] = held.memory.data();
    }
  }
  return {};
}

Error RawSlices::not_finite(const JobContext& context) {
  if (volume_ != nullptr) return not_finite_error(count_non_finite(*volume_), volume_->name);
  const Size3 n = size();
  std::vector<float> slice(static_cast<std::size_t>(n.x * n.y));
  NonFinite found;
  for (std::int64_t z = 0; z < n.z; ++z) {
    if (Status read = source_->read(z, slice.data(), context); !read) return read.error();
    for (std::size_t i = 0; i < slice.size(); ++i) {
      if (is_usable(slice[i])) continue;
      const auto at = static_cast<std::int64_t>(i);
      if (found.count++ == 0) found.first = {z, at / n.y, at % n.y};
    }
  }
  return not_finite_error(found, source_->header().name);
}

}  // namespace aprscope
