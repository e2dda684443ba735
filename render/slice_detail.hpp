#pragma once

#include <cstdint>
#include <vector>

#include "core/apr/sample/slice.hpp"
#include "render/channel_plane.hpp"

// What a slice view shows where its slices are an overview of a finer image.

namespace aprscope {

/// A finer picture of a part of a slice, drawn over it in the same colours.
struct SliceDetail {
  Plane plane;
  /// The same of other channels, see ChannelPlanes. Where a visible one is missing, the slice of
  /// the view shows instead of all.
  std::vector<ChannelPlane> others;
  /// The rectangle that it covers, in fractional pixels of the view's slice.
  double row = 0.0;
  double col = 0.0;
  double rows = 0.0;
  double cols = 0.0;
  /// The slice of the view that it belongs to.
  std::int64_t index = 0;
};

/// Steps between slices of a finer image, of which one slice of the view stands for several.
struct FineSteps {
  /// Slices of the finer image in one slice of the view; 1: it is no finer.
  std::int64_t in_slice = 1;
  /// Slices of the finer image that one step moves by; as many as in_slice: steps are as ever.
  std::int64_t step = 1;
  /// Number of slices of the finer image; the last slice of the view may stand for fewer.
  std::int64_t count = 0;
  [[nodiscard]] bool any() const { return in_slice > 1 && step < in_slice; }
  friend bool operator==(const FineSteps&, const FineSteps&) = default;
};

/// The slice of the finer image that a slice of the view shows: the middle one of those that it
/// stands for, unless steps have led to another one of them.
std::int64_t fine_slice(const FineSteps& steps, std::int64_t index, std::int64_t last);

/// The slice of the finer image that is `by` steps away: steps lead to where cells of their length
/// begin, and stay inside of the image.
std::int64_t stepped(const FineSteps& steps, std::int64_t fine, std::int64_t by);

}  // namespace aprscope
