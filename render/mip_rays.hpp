#pragma once

#include <memory>
#include <optional>

#include "render/mip_detail.hpp"

namespace aprscope {

class MipView;

/// How rays show what they pass: their maximum, or translucent matter, see Translucency. Matter is
/// as bright as the contrast draws it; channels each by their own, and do not cover one another.
/// Surfaces, labels, thresholds and differences are shown in preference to it.
class MipRays {
 public:
  explicit MipRays(MipView& view) : view_(view) {}

  /// The depth as a share of mean_side() of the volume; 0: maxima.
  void set_depth(double share);
  /// Whether the picture on screen is one of translucent matter.
  [[nodiscard]] bool shows_matter() const;
  /// Whether it is a surface, see MipView::set_level_set().
  [[nodiscard]] bool shows_surface() const;
  /// The value whose surface is shown, or will be; none: no surface is.
  [[nodiscard]] std::optional<float> surface() const;

  /// Rays go through this part of the volume with its smaller cells where it has all that the
  /// picture shows; until then projections have the maxima of both. Not for labels and comparisons,
  /// nor for channels of which it lacks a visible one. Null: there is none. Another volume
  /// (MipView::set_source) takes it away.
  void set_detail(std::shared_ptr<const MipDetail> detail);
  [[nodiscard]] std::shared_ptr<const MipDetail> detail() const;
  /// The cells that a picture shows after so many halvings of pixels; none: it shows nothing of the
  /// volume.
  [[nodiscard]] std::optional<Region> in_sight(int finer) const;
  /// Whether all of the picture on screen was made with it.
  [[nodiscard]] bool shows_detail() const;

 private:
  MipView& view_;
};

}  // namespace aprscope
