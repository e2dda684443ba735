#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace aprscope::gpu {

/// How image spectra are read between their pixels.
enum class Texels {
  filtered,      // a texture of (re, im): the hardware's bilinear filter, fractions of 8 bits
  filtered_ctf,  // a texture of (re, im, CTF² weight, –)
  exact,         // float2 in memory, bilinear in floats
  exact_ctf,     // float4 in memory
};

/// A central plane to be inserted.
struct InsertPlane {
  /// The image's axes and its normal in the frame of the map, by rows.
  float rows[9];
  std::int32_t layer;   // its image
  float value_scale;    // of re and im as stored
  float weight_scale;   // its weight where texels have none
  float radius_square;  // image frequencies up to here are read
  float unused[3];
};

struct InsertTile {
  std::int32_t x, y, z;  // its first voxel
  std::int32_t slot;     // where its sums are
};

/// Coefficients of the kernel as a polynomial in 1 − (d ÷ radius)², from the linear one.
constexpr int kKernelTerms = 8;
/// Of them where images are filtered, whose own error is larger than what the last would add.
constexpr int kFilteredTerms = 7;

/// Terms of a blob, as many as BlobTable has.
constexpr int kBlobTerms = 10;

/// A blob that is summed up over the pixels of a plane, see BlobTable.
struct InsertBlob {
  float radius;          // image frequencies
  float inverse_square;  // of the radius
  float c[kBlobTerms];   // of the powers of 1 − (r ÷ radius)², from the constant one
};

/// Planes and where they go.
struct InsertView {
  const InsertPlane* planes;
  const float* scales;  // of each layer's values as stored; null: 1
  /// Normals (x, y, z) and |x| + |y| + |z|.
  const float4* normals;
  /// Planes sorted by the axis their normals are nearest to: where each begins, and the end.
  std::int32_t first[4];
  const InsertTile* tiles;
  float* sums;
  std::int32_t tile_count;
  std::int32_t ball;  // radius, voxels
  float radius;       // of the kernel, voxels; where the blob is summed up, a little more
  float kernel[kKernelTerms];
  cudaTextureObject_t texture;
  const float* texels;
  std::int32_t row_texels;
  std::int64_t layer_texels;
  /// Where frequency 0 lies in a texture, whose rows are of one x and run along y.
  float zero_x, zero_y;
  /// Of insert_blob_planes().
  InsertBlob blob;
};

/// Adds planes to the tiles of `side` 8 or 16; of several `parts` of the sums, each takes a share
/// of the planes. `limited`: voxels of the ball may lie beyond a plane's radius. At most 65535
/// planes.
void insert_planes(const InsertView& view, int side, Texels texels, bool limited, int parts,
                   cudaStream_t stream);

/// Adds what insert_blobs() of the processor adds, of exact texels: for each voxel the sum over all
/// pixels of a plane within the blob, of those not beyond the plane's radius.
void insert_blob_planes(const InsertView& view, int side, Texels texels, int parts,
                        cudaStream_t stream);

/// Copies from pinned memory of the host by a kernel: the copy engine, where large transfers wait,
/// would keep the work behind it waiting, too.
void copy_pinned(const float4* from, float4* to, std::int64_t count, cudaStream_t stream);

/// Sums of `count` tiles as FrequencyTiles has them, of all parts.
void gather_tiles(const float* sums, std::int64_t tile_count, int side, int parts,
                  const std::int32_t* tiles, std::int64_t count, float* out, cudaStream_t stream);

}  // namespace aprscope::gpu
