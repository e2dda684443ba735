#pragma once

#include "core/image/volume.hpp"

namespace aprscope {

/// A box of pixels [begin, end) in each dimension.
struct Region {
  Index3 begin{0, 0, 0};
  Index3 end{0, 0, 0};
  [[nodiscard]] Size3 size() const { return {end.z - begin.z, end.x - begin.x, end.y - begin.y}; }
  [[nodiscard]] bool contains(const Index3& p) const {
    return p.z >= begin.z && p.z < end.z && p.x >= begin.x && p.x < end.x && p.y >= begin.y &&
           p.y < end.y;
  }
  friend bool operator==(const Region&, const Region&) = default;
};
/// The region of the whole image.
inline Region whole(const Size3& size) { return {{0, 0, 0}, size}; }

}  // namespace aprscope
