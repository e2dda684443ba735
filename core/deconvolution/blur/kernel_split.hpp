#pragma once

#include "core/filter/stencil.hpp"

namespace aprscope {

/// The stencil restricted to the next coarser level, R K P: [1 2 1]/2 in each dimension longer than
/// 1, every second value. Equals restrict_stencil(stencil, 1), for kernels as large as images.
Stencil halved(const Stencil& stencil);

/// The size of a stencil of `size` after halved().
Size3 halved(const Size3& size);

/// The middle of a stencil: `size`, or as much of it as there is.
Stencil middle(const Stencil& stencil, const Size3& size);

/// Whether turning any dimension round changes no weight by more than `tolerance` times the
/// largest.
bool is_even(const Stencil& stencil, double tolerance = 1e-6);

/// A PSF in two parts: near, its middle with a hard cut, on the level of the PSF; far, the rest,
/// restricted to the next coarser level. There is no far part if near holds the whole PSF.
struct SplitPsf {
  Stencil near;
  Stencil far;
  [[nodiscard]] bool has_far() const { return !far.weights.empty(); }
};
SplitPsf split(const Stencil& psf, const Size3& near);

}  // namespace aprscope
