#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/image/volume.hpp"

namespace aprscope {

class MipView;

/// A slice in colours: 4 bytes a pixel, rows × cols as a slice view shows them. Empty: nothing.
struct ColouredSlice {
  std::vector<std::uint8_t> rgba;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

/// Three slices where they lie in the volume, in place of its projection: no rays are cast then.
class MipSlices {
 public:
  explicit MipSlices(MipView& view) : view_(view) {}

  void set_shown(bool shown);
  [[nodiscard]] bool shown() const;
  /// The slice perpendicular to an axis that is drawn; of another shape than the volume's: none.
  void set(Axis axis, std::int64_t index, ColouredSlice slice);
  /// The pixel of a slice that is seen at a position, as MipView::picked() gives it; none: there is
  /// no slice, or slices are not shown.
  [[nodiscard]] std::optional<Index3> at(double u, double v) const;

 private:
  MipView& view_;
};

}  // namespace aprscope
