#include "render/slice_detail.hpp"

#include <algorithm>

namespace aprscope {

std::int64_t fine_slice(const FineSteps& steps, std::int64_t index, std::int64_t last) {
  if (steps.in_slice <= 1) return index;
  if (last >= 0 && last / steps.in_slice == index) return last;
  const std::int64_t middle = index * steps.in_slice + steps.in_slice / 2;
  return std::clamp<std::int64_t>(middle, 0, std::max<std::int64_t>(0, steps.count - 1));
}

std::int64_t stepped(const FineSteps& steps, std::int64_t fine, std::int64_t by) {
  const std::int64_t last = std::max<std::int64_t>(0, steps.count - 1) / steps.step;
  return std::clamp<std::int64_t>(fine / steps.step + by, 0, last) * steps.step;
}

}  // namespace aprscope
