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
  std::int32_t layer;   // the image of this plane
  float value_scale;    // factor of the stored re and im
  float weight_scale;   // weight of the plane, if texels have none
  float radius_square;  // larger frequencies are not read
  float unused[3];
};

struct InsertTile {
  std::int32_t x, y, z;  // first voxel
  std::int32_t slot;     // number of the tile's sums
};

/// Coefficients of the kernel as a polynomial in 1 − (d ÷ radius)², from the linear one.
constexpr int kKernelTerms = 8;
/// Terms to use for filtered images: their own error is larger than what the last term would add.
constexpr int kFilteredTerms = 7;

/// The number of a blob's terms, as in BlobTable.
constexpr int kBlobTerms = 10;

/// A blob that pixels of a plane are weighted with and summed up, see BlobTable.
struct InsertBlob {
  float radius;          // in frequencies of the image
  float inverse_square;  // of the radius
  float c[kBlobTerms];   // of the powers of 1 − (r ÷ radius)², from the constant one
};

/// Planes, and the sums that they are added to.
struct InsertView {
  const InsertPlane* planes;
  const float* scales;  // factor of each layer's stored values; null: 1
  /// For each plane its normal (x, y, z) and |x| + |y| + |z|.
  const float4* normals;
  /// Planes are sorted by the axis nearest to their normal: where those of each begin, and the end.
  std::int32_t first[4];
  const InsertTile* tiles;
  float* sums;
  std::int32_t tile_count;
  std::int32_t ball;  // radius in voxels
  float radius;       // of the kernel in voxels; for blobs a little more
  float kernel[kKernelTerms];
  cudaTextureObject_t texture;
  const float* texels;
  std::int32_t row_texels;
  std::int64_t layer_texels;
  /// The position of frequency 0 in a texture. Rows of a texture run along y; each is of one x.
  float zero_x, zero_y;
  /// Used by insert_blob_planes() only.
  InsertBlob blob;
};

/// Adds planes to tiles of `side` 8 or 16. With several `parts`, each has sums of its own and takes
/// a share of the planes. `limited`: the ball may have voxels beyond a plane's radius. At most
/// 65535 planes.
void insert_planes(const InsertView& view, int side, Texels texels, bool limited, int parts,
                   cudaStream_t stream);

/// Adds what the processor's insert_blobs() adds, from exact texels: to each voxel the sum over all
/// pixels of a plane within the blob and not beyond the plane's radius.
void insert_blob_planes(const InsertView& view, int side, Texels texels, int parts,
                        cudaStream_t stream);

/// Copies from pinned memory of the host by a kernel. Work behind it would have to wait if the copy
/// engine did that, as large transfers wait there.
void copy_pinned(const float4* from, float4* to, std::int64_t count, cudaStream_t stream);

/// Adds up all parts of `count` tiles and stores them in the layout of FrequencyTiles.
void gather_tiles(const float* sums, std::int64_t tile_count, int side, int parts,
                  const std::int32_t* tiles, std::int64_t count, float* out, cudaStream_t stream);

}  // namespace aprscope::gpu
