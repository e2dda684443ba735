#pragma once

#include <cstdint>

#include <driver_types.h>

namespace aprscope::gpu {

/// Starting weights of a recursive filter on the device, see SplineFilter.
struct LineWeights {
  float feed1, feed2;
  const float *first, *second, *last, *before_last;
  int first_count, second_count, last_count, before_last_count;
};

/// Lines of the slices [first_slice, first_slice + slices) of a ring.
struct Lines {
  float* ring;
  int first_slice;
  int slices;
  int slots;
  int nx, ny;
};

/// The recursive filter along y / along x of all lines, in place, with the same arithmetic as the
/// CPU's kernels: starting values as weighted sums in ascending order, then both recursions.
void filter_lines_y(const Lines& lines, const LineWeights& weights, cudaStream_t stream);
void filter_lines_x(const Lines& lines, const LineWeights& weights, cudaStream_t stream);

}  // namespace aprscope::gpu
