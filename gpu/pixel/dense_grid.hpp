#pragma once

#include <cstdint>

#include <driver_types.h>

#include "gpu/octet/octets.hpp"

// Dense grids in the buffers of Fourier transforms, and the steps between transforms.
namespace aprscope::gpu {

/// The positions of a grid's cells in a buffer. Rows are `row` floats apart. A padded grid begins
/// where the buffer does. Padding behind its end follows it; padding before its beginning is at the
/// buffer's end, since convolution is cyclic. A folded grid has the size of its buffer: in each
/// dimension even positions come first, then odd ones backwards (Makhoul 1980).
struct GridView {
  float* buffer = nullptr;
  Int3 size;
  Int3 padded;
  int row = 0;
  bool folded = false;
};

/// What lies beyond a padded grid: nothing; the grid mirrored about its outermost cells
/// (… 2 1 0 1 2 …); the grid mirrored about its faces (… 1 0 0 1 …).
enum class Beyond { zero, about_cell, about_face };

/// Fills the whole buffer of a padded grid from `image`, an array of the grid's size …
void load_padded(const GridView& g, Beyond beyond, const float* image, cudaStream_t stream);
/// … or from the cells that the buffer holds.
void extend_padded(const GridView& g, Beyond beyond, cudaStream_t stream);
/// Copies the cells of any grid from an array of its size …
void load_cells(const GridView& g, const float* image, cudaStream_t stream);
/// … or to such an array.
void store_cells(const GridView& g, float* image, cudaStream_t stream);

/// Writes a kernel (z, x, y; odd sizes, at most those of the buffer) with its middle at cell 0. The
/// buffer must hold zeros.
void place_kernel(const GridView& g, const float* kernel, Int3 size, cudaStream_t stream);

/// out = spectrum · scale, `count` complex numbers; `real`: stores the real parts alone.
void keep_spectrum(const float* spectrum, std::uint64_t count, bool real, float scale, float* out,
                   cudaStream_t stream);
/// spectrum ← spectrum · kernel, or · conj(kernel); `real` as in keep_spectrum().
void multiply_spectrum(float* spectrum, const float* kernel, std::uint64_t count, bool real,
                       bool conjugate, cudaStream_t stream);

}  // namespace aprscope::gpu
