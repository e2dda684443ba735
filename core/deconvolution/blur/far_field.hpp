#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/filter/convolution.hpp"

namespace aprscope {

/// The far part of a PSF on particles: what lies beyond a near stencil and is smooth enough to be
/// computed on coarser grids. Allocates when it is made; one thread at a time may use it.
class FarField {
 public:
  virtual ~FarField() = default;
  /// Adds the input blurred by the far part (or by its flipped one) to y, one value a particle.
  /// Errors: cancelled.
  virtual Status add(const FilterInput& input, bool flip, std::span<float> y,
                     const JobContext& context) = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  [[nodiscard]] virtual std::string description() const = 0;
};

/// A far field on the dense grid of level_max − 1 (`far` is the kernel on that level, see split()):
/// tree means and values of coarser particles are convolved, interpolated trilinearly at the finest
/// particles and averaged over coarser ones. Errors: no memory.
Result<std::unique_ptr<FarField>> make_dense_far_field(std::shared_ptr<const AprAccess> access,
                                                       const Stencil& far, Boundary boundary);

/// The same without a dense grid of that level: `far` is split once more, its middle of `near` is
/// applied at the cells of level_max − 1 that exist, and only what is left on the dense grid of
/// level_max − 2. An eighth of the memory.
Result<std::unique_ptr<FarField>> make_lean_far_field(std::shared_ptr<const AprAccess> access,
                                                      const Stencil& far, const Size3& near,
                                                      Boundary boundary);

}  // namespace aprscope
