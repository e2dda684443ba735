#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/labels.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// A pixel from which water rises, and whose water it is (from 1 on).
struct FloodMarker {
  std::int64_t pixel = 0;
  std::uint32_t number = 0;

  friend bool operator==(const FloodMarker&, const FloodMarker&) = default;
};

/// How basins are found. `bright`: in the inverted image, so that bright places are deep.
/// `markers`, in ascending order of pixels, lie deeper than all else; markers of one number make
/// one basin.
struct BasinRule {
  Connectivity near = Connectivity::faces;
  bool bright = false;
  std::span<const FloodMarker> markers = {};
};

/// The catchment basins of an image, one for each of its minima: heights are its values, or what
/// makes them negative where it is turned upside down.
struct Basins {
  /// The basin of each pixel in memory order, from 1 on in the order of the basins' first pixels;
  /// 0: none, where the height is +infinity.
  std::vector<std::uint32_t> labels;
  /// For each label (entry 0 is unused): the lowest height, the number of pixels, and, if there are
  /// markers, the marker in the basin or 0.
  std::vector<float> floors;
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint32_t> markers;

  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>(floors.size()) - 1;
  }
  [[nodiscard]] std::uint64_t bytes() const;
};

/// The catchment basins of `image` (without lines between them), by steepest descent: each pixel
/// belongs to the basin of the lowest of its lower neighbours, which is the one whose rising
/// water reaches it first (Vincent and Soille 1991; as arrowing: Bieniek and Moga 2000). A pixel
/// of a plateau goes to its nearest lower border, counted in steps inside the plateau; between
/// equally good neighbours a hash of the position decides, so that no direction is preferred.
/// Values must not be NaN. Takes 5 bytes a pixel. Equal for any number of threads. Errors: more
/// than 2^32 − 2 basins, markers outside the image or out of order, cancelled. Throws
/// std::bad_alloc.
template <class T>
Result<Basins> find_basins(const Pixels<T>& image, const BasinRule& rule,
                           const JobContext& context = {});

}  // namespace aprscope
