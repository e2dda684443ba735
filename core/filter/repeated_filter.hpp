#pragma once

#include <memory>
#include <optional>
#include <span>

#include "core/apr/structure/slice_span.hpp"
#include "core/filter/convolution.hpp"

namespace aprscope {

/// A filter on particles that is applied again and again, as iterative methods do: work is listed
/// and memory taken when it is made, none when it is applied. One thread at a time may use it; the
/// same bits as convolve(), for any number of threads.
class ParticleFilter {
 public:
  virtual ~ParticleFilter() = default;

  /// Filters one value a particle, with the means of the interior cells as `tree`, to one value a
  /// particle in `out`, which may not overlap the input. Errors: lengths, cancelled.
  virtual Status apply(std::span<const float> particles, std::span<const float> tree,
                       std::span<float> out, const JobContext& context) = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// A correlation with one stencil for each level, at the particles whose cells begin in `slices`
/// (none: at all); others are left as they were. Errors: levels that do not fit, no memory.
Result<std::unique_ptr<ParticleFilter>> repeated_convolution(
    std::shared_ptr<const AprAccess> access, const StencilPyramid& stencils, Boundary boundary,
    std::optional<SliceSpan> slices = std::nullopt);

/// The total-variation term div(∇x ÷ √(|∇x|² + edge²)) per pixel, from fluxes between a cell and
/// its six neighbours on the isotropic grid of its level, the gradient across from central
/// differences on both sides: between −6 and 6 divided by the cell's side. The value at `edge` may
/// change from one application to the next. `slices` as above; `finer_levels`: levels that the
/// whole has beyond those of a part of it. Errors: no memory.
Result<std::unique_ptr<ParticleFilter>> repeated_variation(
    std::shared_ptr<const AprAccess> access, const float* edge, Boundary boundary,
    std::optional<SliceSpan> slices = std::nullopt, int finer_levels = 0);

/// The same for images of one size.
class PixelFilter {
 public:
  virtual ~PixelFilter() = default;
  /// The image to be filtered, to be written before apply(), and the result, until the next one.
  virtual std::span<float> input() = 0;
  [[nodiscard]] virtual std::span<const float> output() const = 0;
  virtual Status apply(const JobContext& context) = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

Result<std::unique_ptr<PixelFilter>> repeated_convolution(const Size3& size, const Stencil& stencil,
                                                          Boundary boundary);
Result<std::unique_ptr<PixelFilter>> repeated_variation(const Size3& size, const float* edge,
                                                        Boundary boundary);

}  // namespace aprscope
