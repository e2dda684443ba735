#pragma once

#include <limits>

#include "core/deconvolution/iterate/estimate_update.hpp"
#include "core/deconvolution/iterate/richardson_lucy_options.hpp"

namespace aprscope {

/// The image as the options of iterations see it: its offset and background, not scaled.
Observation observe(std::span<const float> image, const RichardsonLucyOptions& options);

/// The numbers that steer Richardson–Lucy. Every engine takes them from here, so that no engine
/// decides otherwise and iterates differently.
class IterationControl {
 public:
  IterationControl(const ImageFacts& facts, const RichardsonLucyOptions& options);

  /// The factor for the image: 1, or a power of two where its values lie far from 1.
  [[nodiscard]] float scale() const { return scale_; }
  /// The largest value of the scaled image; 1 where none is positive.
  [[nodiscard]] float largest() const { return largest_; }
  /// Blurred estimates up to this count as nothing, see RichardsonLucyOptions::guard.
  [[nodiscard]] float floor() const { return floor_; }
  /// The value of a constant first estimate of the scaled image: its mean above the background
  /// (mean of all its light if that is not positive).
  [[nodiscard]] float mean() const;
  /// The factor for the regulariser's term.
  [[nodiscard]] float strength() const { return strength_; }
  /// `seen` with the scale and the floor of this object.
  [[nodiscard]] Observation scaled(Observation seen) const;
  /// The likelihood of RichardsonLucyReport, from EstimateUpdate::divergence().
  [[nodiscard]] double likelihood(double divergence) const;

  /// What to do after an update: multiply by `factor`, which keeps the flux (1: do not), and go
  /// `along` times the last change. `divergence` is that of the iteration, where it is accelerated;
  /// `explained` what the ratio gave, see EstimateUpdate::ratio().
  struct Step {
    float factor = 1.0F;
    float along = 0.0F;
  };
  Step after(const UpdateSums& sums, double divergence, double explained = 0.0);

 private:
  float scale_ = 1.0F;
  float largest_ = 1.0F;
  float floor_ = 0.0F;
  float strength_ = 0.0F;
  double flux_ = 0.0;        // of the scaled image
  double background_ = 0.0;  // of the scaled background
  bool has_background_ = false;
  double pixels_ = 0.0;
  bool accelerate_ = false;
  double divergence_ = std::numeric_limits<double>::infinity();  // of the iteration before
};

}  // namespace aprscope
