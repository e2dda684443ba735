#pragma once

#include <cstdint>

#include <driver_types.h>

#include "gpu/octet/octets.hpp"

// Dense grids in the buffers of Fourier transforms, and what is done to them between transforms.
namespace aprscope::gpu {

/// Where the cells of a grid lie in a buffer. Rows are `row` floats apart. A padded grid lies at
/// the beginning, what is behind its end follows, and what is before its beginning lies at the
/// buffer's end, where convolution finds it. A folded grid is as large as its buffer: of each
/// dimension the even positions come first, then the odd ones backwards (Makhoul 1980).
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
/// The cells of any grid from an array of its size …
void load_cells(const GridView& g, const float* image, cudaStream_t stream);
/// … and as an array.
void store_cells(const GridView& g, float* image, cudaStream_t stream);

/// The kernel (z, x, y, odd sizes, at most as large as the buffer, which is zeros) with its middle
/// at 0.
void place_kernel(const GridView& g, const float* kernel, Int3 size, cudaStream_t stream);

/// out = spectrum · scale, `count` complex numbers; of a real one the real part alone.
void keep_spectrum(const float* spectrum, std::uint64_t count, bool real, float scale, float* out,
                   cudaStream_t stream);
/// spectrum ← spectrum · kernel, or · conj(kernel); `real` as it was kept.
void multiply_spectrum(float* spectrum, const float* kernel, std::uint64_t count, bool real,
                       bool conjugate, cudaStream_t stream);

}  // namespace aprscope::gpu
