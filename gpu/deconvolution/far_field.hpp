#pragma once

#include <memory>
#include <string>

#include "gpu/deconvolution/far_field_kernels.hpp"
#include "gpu/deconvolution/grid_blur.hpp"
#include "gpu/octet/octet_filter.hpp"

namespace aprscope::gpu {

/// The far part of a PSF on particles on a device, see aprscope::FarField. Allocates its memory
/// when constructed. Refers to the APR, which must outlive it. Throws a Failure where CUDA fails.
class FarField {
 public:
  virtual ~FarField() = default;
  /// Enqueues the addition of `in` (particles with their tree) blurred by the far part, or by its
  /// flipped one, to `out`.
  virtual void add(const OctetValues& in, bool flip, const OctetValues& out) const = 0;
  [[nodiscard]] virtual std::string description() const = 0;
};

/// The far part on the dense grid of level_max − 1; needs level_max ≥ 2.
std::unique_ptr<FarField> make_dense_far_field(const OctetApr& apr, const Stencil& far,
                                               Boundary boundary);
/// The far part as a second near part on level_max − 1 and the dense grid of level_max − 2; needs
/// level_max ≥ 3. Also throws std::bad_alloc.
std::unique_ptr<FarField> make_lean_far_field(const OctetApr& apr, const Stencil& far,
                                              const Size3& near, Boundary boundary);

/// Device memory of a far part at most, in bytes, for a PSF of this size on these particles.
std::uint64_t far_field_bytes(const AprAccess& access, const Size3& psf, bool even, bool lean,
                              Boundary boundary);

}  // namespace aprscope::gpu
