#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/deconvolution/blur_model.hpp"

namespace aprscope {

enum class Regularisation { none, total_variation, tikhonov_miller };

/// The derivative of a penalty, negated: what smoothing asks of each value. Allocates when it is
/// made; one thread at a time may use it.
class Regulariser {
 public:
  virtual ~Regulariser() = default;

  /// out = the term of x (they do not overlap):
  /// total variation: div(∇x ÷ |∇x|) per pixel (Dey et al. 2006), between −6 and 6;
  /// Tikhonov–Miller: the Laplacian Δx, in the unit of x per pixel².
  /// Neighbours lie on the isotropic grid of each particle's level. Errors: cancelled, lengths.
  virtual Status term(std::span<const float> x, std::span<float> out,
                      const JobContext& context) = 0;

  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// On an image of `size` pixels; null for Regularisation::none. Errors: no memory.
Result<std::unique_ptr<Regulariser>> make_pixel_regulariser(Regularisation kind, const Size3& size,
                                                            Boundary boundary);
/// On particles.
Result<std::unique_ptr<Regulariser>> make_particle_regulariser(
    Regularisation kind, std::shared_ptr<const AprAccess> access, Boundary boundary);

}  // namespace aprscope
