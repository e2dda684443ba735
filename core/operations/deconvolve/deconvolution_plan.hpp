#pragma once

#include <optional>
#include <string>

#include "core/deconvolution/iterate/held_out.hpp"
#include "core/deconvolution/iterate/richardson_lucy.hpp"
#include "core/deconvolution/psf/back_projector.hpp"

namespace aprscope {

class Ranks;

/// How a PSF is applied to particles, see the parameter "scheme".
enum class DeconvolutionScheme { full, lean, truncated };

/// What a complete "deconvolve" operation means for an image of one voxel size and extent.
struct DeconvolutionPlan {
  Stencil psf;
  Boundary boundary = Boundary::reflect;
  DeconvolutionScheme scheme = DeconvolutionScheme::full;
  /// Size of the near part; 0: chosen by its estimated error.
  int near = 0;
  RichardsonLucyOptions options;
  /// Back projector of the first options.unmatched iterations; none: there are no such.
  std::optional<WienerButterworth> back_projector;
  /// How to hold out photons that decide the number of iterations; none: `options` decide.
  std::optional<HoldOutOptions> hold_out;
  /// How to halve the photons to measure the resolution of the result; none: not measured.
  std::optional<HoldOutOptions> resolution;
  /// The earlier result that a start "file" names.
  std::optional<std::string> start_file;
  /// The image of the background that it names; in `options` once iterations begin.
  std::optional<std::string> background_file;
  /// The processes that share the blur of particles on the CPU; null: none.
  Ranks* ranks = nullptr;
  /// Whether iterates are compared with something, so that each process must have them whole.
  bool shows_iterates = false;
};

}  // namespace aprscope
