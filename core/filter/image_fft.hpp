#pragma once

#include "core/base/job_context.hpp"
#include "core/filter/convolution.hpp"

namespace aprscope::detail {

/// Correlation of an image with a stencil as products of spectra, tile by tile. The grid of tiles
/// is that of the whole image, so that a region has the same bits. Each tile is padded by what lies
/// beyond the image, so that borders are exact. Results differ from sums of products by rounding
/// (about 1e-6 of the largest value · Σ|w|); a value that is not finite spoils its tile.
Status correlate_by_fft(const Pixels<float>& input, const Stencil& stencil, Boundary boundary,
                        const Region& region, Pixels<float>& out, const JobContext& context);

/// Whether transforms are faster than the sums of plan_correlation(), by measurements.
bool fft_pays(const Size3& image, const Stencil& stencil, const Region& region);

}  // namespace aprscope::detail
