#include "core/base/disk_floats.hpp"

#include <utility>

namespace aprscope {

Result<std::span<float>> DiskFloats::take(std::uint64_t count) {
  auto made = ScratchFloats::create(count);
  if (!made) return made.error();
  lists_.push_back(*std::move(made));
  return lists_.back().values();
}

void DiskFloats::leave() {
  for (ScratchFloats& list : lists_) list.leave();
}

}  // namespace aprscope
