#pragma once

namespace aprscope {

class MipView;

/// How rays show what they pass: their maximum, or translucent matter, see Translucency. Matter is
/// as bright as the contrast draws it; channels each by their own, and do not cover one another.
/// Surfaces, labels, thresholds and
/// differences are shown in preference to it.
class MipRays {
 public:
  explicit MipRays(MipView& view) : view_(view) {}

  /// The depth as a share of mean_side() of the volume; 0: maxima.
  void set_depth(double share);
  /// Whether the picture on screen is one of translucent matter.
  [[nodiscard]] bool shows_matter() const;
  /// Whether it is a surface, see MipView::set_level_set().
  [[nodiscard]] bool shows_surface() const;

 private:
  MipView& view_;
};

}  // namespace aprscope
