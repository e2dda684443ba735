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

/// How basins are found. `bright`: in the image turned upside down, so that bright places are the
/// deep ones. `markers`, in ascending order of pixels, lie deeper than everything else, and those
/// of one number are one basin.
struct BasinRule {
  Connectivity near = Connectivity::faces;
  bool bright = false;
  std::span<const FloodMarker> markers = {};
};

/// The catchment basins of an image, one for each of its minima: heights are its values, or what
/// makes them negative where it is turned upside down.
struct Basins {
  /// One a pixel in memory order, from 1 on in the order of the basins' first pixels; 0: none,
  /// where the height is +infinity.
  std::vector<std::uint32_t> labels;
  /// By label (that of 0 means nothing): the lowest height, the number of pixels, and, where there
  /// are markers, the marker in it or 0.
  std::vector<float> floors;
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint32_t> markers;

  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>(floors.size()) - 1;
  }
  [[nodiscard]] std::uint64_t bytes() const;
};

/// The catchment basins of `image` (without lines between them), by steepest descent: each pixel
/// belongs to where the lowest of its lower neighbours belongs, which is where the water that rises
/// in all minima at once reaches it from (Vincent and Soille 1991; as arrowing: Bieniek and Moga
/// 2000). A pixel of a plateau goes to its nearest lower border, counted in steps inside the
/// plateau; between neighbours that are equally good chance decides, by a hash of the position, so
/// that no direction is preferred. Values must not be NaN. Takes 5 bytes a pixel. Equal for any
/// number of threads. Errors: more than 2^32 − 2 basins, markers outside the image or out of order,
/// cancelled. Throws std::bad_alloc.
template <class T>
Result<Basins> find_basins(const Pixels<T>& image, const BasinRule& rule,
                           const JobContext& context = {});

}  // namespace aprscope
