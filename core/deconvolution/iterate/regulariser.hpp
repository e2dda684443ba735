#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "core/deconvolution/blur/blur_model.hpp"
#include "core/filter/repeated_filter.hpp"

namespace aprscope {

enum class Regularisation { none, total_variation, tikhonov_miller };

/// The negative derivative of a penalty, by which smoothing changes each value. Borders reflect.
/// Allocates when it is made; one thread at a time may use it.
class Regulariser {
 public:
  virtual ~Regulariser() = default;

  /// out = the term of x (they do not overlap), for values of which `scale` > 0 is a typical large
  /// one, the largest of the image; it has no unit:
  /// total variation: div(∇x ÷ √(|∇x|² + (scale/1000)²)) per pixel (Dey et al. 2006), within ±6;
  /// Tikhonov–Miller: the Laplacian Δx ÷ scale, per pixel².
  /// Neighbours lie on the isotropic grid of each particle's level. Errors: cancelled, lengths.
  virtual Status term(std::span<const float> x, float scale, std::span<float> out,
                      const JobContext& context) = 0;

  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// The Laplacian of particles, as Tikhonov–Miller takes it, before it is divided by the scale:
/// cells of coarser levels lie farther apart. `slices`, `finer_levels`: see repeated_variation().
Result<std::unique_ptr<ParticleFilter>> repeated_laplacian(std::shared_ptr<const AprAccess> access,
                                                           std::optional<SliceSpan> slices,
                                                           int finer_levels = 0);
/// What differences count as at least in the total variation of values of this scale.
float variation_edge(float scale);

/// A regulariser of an image of `size` pixels; null for Regularisation::none. Errors: no memory.
Result<std::unique_ptr<Regulariser>> make_pixel_regulariser(Regularisation kind, const Size3& size);
/// A regulariser of particles, which several ranks may share; null for Regularisation::none.
Result<std::unique_ptr<Regulariser>> make_particle_regulariser(
    Regularisation kind, std::shared_ptr<const AprAccess> access,
    std::shared_ptr<BlurShares> shares = nullptr);

}  // namespace aprscope
