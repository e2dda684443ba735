#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/deconvolution/blur/cell_volumes.hpp"
#include "core/filter/convolution.hpp"

namespace aprscope {

class BlurShares;

/// Whether a blur by this PSF makes an image of ones of one: H 1 = 1, and Hᵀ 1 = 1.
bool gives_one_for_one(const Stencil& psf, Boundary boundary);

/// Blur by a point-spread function as a linear operator on values (pixels, or particles). Whatever
/// it needs is allocated when it is made: applying it takes no memory. One thread at a time may
/// use a model, which itself computes on all threads; same bits for any number of them.
class BlurModel {
 public:
  virtual ~BlurModel() = default;

  /// Number of values of x and of y.
  [[nodiscard]] virtual std::size_t count() const = 0;
  /// Pixels that each value stands for; the last run ends at count().
  [[nodiscard]] virtual std::span<const WeightRun> weights() const = 0;

  /// y = H x: the correlation with the flipped PSF, i.e. the convolution with it. x and y do not
  /// overlap unless in_place(). Errors: cancelled (y is then of no use), wrong lengths.
  virtual Status forward(std::span<const float> x, std::span<float> y,
                         const JobContext& context) = 0;
  /// y = Hᵀ x by the same scheme with the flipped PSF: the same boundary rule, the same levels.
  /// That is the transpose on pixels with Boundary::zero, and inside the image with any boundary;
  /// differences at borders and where levels meet are corrected by the division by Hᵀ1.
  virtual Status adjoint(std::span<const float> x, std::span<float> y,
                         const JobContext& context) = 0;

  /// True where forward() and adjoint() accept the same memory as x and y.
  [[nodiscard]] virtual bool in_place() const { return false; }
  /// True where Hᵀ1 is 1 everywhere (a normalised PSF with reflecting borders), so that nobody has
  /// to compute, keep and divide by it.
  [[nodiscard]] virtual bool keeps_ones() const { return false; }

  /// Bytes that it holds beyond x and y.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
  /// A text for captions: "13 × 13 × 13, separable, on particles", "7³ near part + FFT on level 6".
  [[nodiscard]] virtual std::string description() const = 0;
};

/// How a blur on pixels is computed.
/// - passes: spatially, in three 1-D passes where the PSF is separable.
/// - fft: by Fourier transform, padded by the PSF's radius (reflected about the edge pixels,
///   … 2 1 0 1 2 …, or with zeros): the same results as passes.
/// - mirrored: by transform, and a reflecting border reflects about the faces of the image
///   (… 1 0 0 1 …), as that of the full PSF on particles does. An even PSF then needs no padding:
///   it acts on cosine transforms, in the memory of the result. Values that the PSF reaches
///   from a border differ from those of fft (one blur: measured 4 to 7 % at the most).
/// - automatic: passes for small and separable PSFs, else mirrored; the border goes with it.
enum class PixelBlurMethod { automatic, fft, mirrored, passes };

/// The method that `automatic` stands for with this PSF; other methods are returned unchanged.
/// Borders depend on the method, so every device must use the same one.
PixelBlurMethod chosen_method(const Stencil& psf, PixelBlurMethod method);

/// A blur on pixels. Errors: a PSF that check() refuses, no memory.
Result<std::unique_ptr<BlurModel>> make_pixel_blur(
    const Size3& size, const Stencil& psf, Boundary boundary,
    PixelBlurMethod method = PixelBlurMethod::automatic);

/// Bytes that an automatic pixel blur holds at most, except for the lines that threads work on.
std::uint64_t pixel_blur_bytes(const Size3& size, const Stencil& psf, Boundary boundary);

/// Bytes that a pixel blur by transform (fft or mirrored) holds, for a PSF of this size.
std::uint64_t transform_blur_bytes(const Size3& size, const Size3& psf, bool even,
                                   Boundary boundary, PixelBlurMethod method);

/// A blur on particles, with the PSF as it is given (truncated, if need be): at each particle a
/// correlation on the isotropic grid of its level with the PSF restricted to that level (or the
/// same on each). Several ranks may share it: of y each then has the values that it knows.
/// Errors: a PSF that check() refuses, no memory.
Result<std::unique_ptr<BlurModel>> make_particle_blur(std::shared_ptr<const AprAccess> access,
                                                      const Stencil& psf, StencilMode mode,
                                                      Boundary boundary,
                                                      std::shared_ptr<BlurShares> shares = nullptr);

/// The description of a blur on particles by this stencil.
std::string describe_particle_blur(const Stencil& psf);

/// The stencil with every dimension turned round.
Stencil flipped(const Stencil& stencil);

}  // namespace aprscope
