#pragma once

#include <vector>

#include "core/topology/pixel_strata.hpp"

namespace aprscope {

/// Three slices of places at a time, with a margin of undefined values that may be read.
template <class Place>
class PlaceSlices {
 public:
  PlaceSlices(const Size3& size, const PlaceRows<Place>& rows)
      : size_(size),
        rows_(rows),
        stride_(size.y + 2),
        values_(static_cast<std::size_t>(3 * (size.x + 2) * stride_)) {}

  /// Reads slice z in place of slice z − 3; does nothing if there is no slice z.
  void load(std::int64_t z) {
    if (z < 0 || z >= size_.z) return;
    for (std::int64_t x = 0; x < size_.x; ++x) {
      rows_(z, x, {at(z, x), static_cast<std::size_t>(size_.y)});
    }
  }
  /// Row x of slice z at y = 0, readable from −1 to its end.
  Place* at(std::int64_t z, std::int64_t x) {
    return values_.data() + ((z + 3) % 3 * (size_.x + 2) + x + 1) * stride_ + 1;
  }

 private:
  Size3 size_;
  const PlaceRows<Place>& rows_;
  std::int64_t stride_;
  std::vector<Place> values_;
};

}  // namespace aprscope
