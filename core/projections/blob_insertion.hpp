#pragma once

#include "core/projections/insertion_kernels.hpp"
#include "core/projections/slab_kernel.hpp"

namespace aprscope {

/// A blob as a polynomial of 1 − r²/a², f32, for sums over pixels.
struct BlobTable {
  static constexpr int kTerms = 10;
  explicit BlobTable(const Blob& blob);
  float radius, inverse_square;
  float c[kTerms];
};

/// Adds to a tile what InsertionKernels::slab adds, but exactly: for each voxel the sum over all
/// pixels of the plane within the blob. The reference; about six times as slow.
void insert_blobs(const TileTask& task, const BlobTable& blob);

}  // namespace aprscope
