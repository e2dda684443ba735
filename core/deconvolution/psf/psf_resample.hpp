#pragma once

#include <array>

#include "core/base/job_context.hpp"
#include "core/deconvolution/psf/psf.hpp"

namespace aprscope {

/// A scalar image of doubles, for measuring PSFs; value (z, x, y) as in Pixels.
struct PsfImage {
  Size3 size{0, 0, 0};
  std::vector<double> values;

  [[nodiscard]] double at(std::int64_t z, std::int64_t x, std::int64_t y) const {
    return values[static_cast<std::size_t>((z * size.x + x) * size.y + y)];
  }
};

/// Position in fractional pixels, z, x, y; whole numbers are centres of pixels.
using PsfPoint = std::array<double, 3>;

/// The brightest pixel of the image averaged over 3³.
Index3 psf_peak(const PsfImage& image);

/// Sub-pixel centre of a spot near `start`: the centre of gravity under a Gaussian window of about
/// the spot's width, moved until it stays (the windowed position of SExtractor, Bertin 2011).
PsfPoint psf_centre(const PsfImage& image, const Index3& start);

/// The image around `centre` on a grid whose pixels are `ratio` source pixels wide in each
/// dimension (z, x, y), of odd `size`, `centre` in its middle; 0 outside of the source.
/// Interpolates with a cubic (Keys 1981) and, where new pixels are wider than old ones, integrates
/// over them, so that ratio 1 about a whole position copies. Values may undershoot 0.
PsfImage psf_resample(const PsfImage& image, const PsfPoint& centre,
                      const std::array<double, 3>& ratio, const Size3& size);

}  // namespace aprscope
