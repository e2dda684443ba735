#pragma once

#include "core/base/job_context.hpp"
#include "core/filter/convolution.hpp"

namespace aprscope::detail {

/// Correlation of an image with a stencil as products of spectra, tile by tile. Tiles lie where
/// those of the whole image do, so that a region has its bits. What lies beyond the image is laid
/// around each tile, which makes the border exact; results differ from sums of products by rounding
/// (about 1e-6 of the largest value · Σ|w|), and a value that is not finite spoils its tile.
Status correlate_by_fft(const Pixels<float>& input, const Stencil& stencil, Boundary boundary,
                        const Region& region, Pixels<float>& out, const JobContext& context);

/// Whether that is faster than the sums of plan_correlation(); measured.
bool fft_pays(const Size3& image, const Stencil& stencil, const Region& region);

}  // namespace aprscope::detail
