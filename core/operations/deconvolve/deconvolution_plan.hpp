#pragma once

#include <optional>
#include <string>

#include "core/deconvolution/iterate/held_out.hpp"
#include "core/deconvolution/iterate/richardson_lucy.hpp"
#include "core/deconvolution/psf/back_projector.hpp"

namespace aprscope {

/// How a PSF is applied to particles, see the parameter "scheme".
enum class DeconvolutionScheme { full, lean, truncated };

/// What a complete "deconvolve" operation comes down to on an image of one voxel size and extent.
struct DeconvolutionPlan {
  Stencil psf;
  Boundary boundary = Boundary::reflect;
  DeconvolutionScheme scheme = DeconvolutionScheme::full;
  /// Size of the near part; 0: chosen by its error.
  int near = 0;
  RichardsonLucyOptions options;
  /// What the first options.unmatched iterations project back with; none: there are no such.
  std::optional<WienerButterworth> back_projector;
  /// Held-out photons decide how many iterations of all photons there are; none: `options` do.
  std::optional<HoldOutOptions> hold_out;
  /// By which halves of the photons the resolution of the result is measured; none: it is not.
  std::optional<HoldOutOptions> resolution;
  /// The earlier result that a start "file" names.
  std::optional<std::string> start_file;
  /// The image of the background that it names; in `options` once iterations begin.
  std::optional<std::string> background_file;
};

}  // namespace aprscope
