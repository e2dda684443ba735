#pragma once

#include <cstdint>

#include "core/projections/plane_optics.hpp"

// The innermost loops of the insertion, compiled for AVX2 and for AVX-512; insertion_kernels()
// picks at run time. Both give the same bits.
namespace aprscope {

/// How one transformed image lies in memory: texels of four floats (Re, Im, weight, 0), x of the
/// frequency from 0 to reach + 2 fastest, y from −(reach + 2) to reach + 2.
struct TexelPlane {
  std::int64_t reach = 0;
  std::int64_t width = 0;   // reach + 3
  std::int64_t centre = 0;  // row of y = 0: reach + 2
  std::int64_t floats = 0;  // of one image
};

/// A sample, ready for tiles.
struct PlaneSample {
  float rows[9] = {};
  float radius_square = 0.0F;
  const float* texels = nullptr;
};

/// The normals of many samples, for culling: a tile whose centre is c may be touched where
/// |n · c| ≤ bound.
struct SampleNormals {
  const float* x = nullptr;
  const float* y = nullptr;
  const float* z = nullptr;
  const float* bound = nullptr;
};

/// The columns of a tile along each axis: column i of side² crosses at (u[i], v[i]) of the two
/// other axes, and its first voxel is at[axis][i].
struct TileColumns {
  static constexpr std::int64_t kMost = 256;
  float u[kMost] = {};
  float v[kMost] = {};
  std::int32_t at[3][kMost] = {};
};

struct TileTask {
  const TexelPlane* plane = nullptr;
  const TileColumns* columns = nullptr;
  const PlaneSample* samples = nullptr;
  /// Indices of the samples that may touch the tile, in order.
  const std::int32_t* list = nullptr;
  std::int64_t count = 0;
  std::int32_t origin[3] = {};
  std::int32_t side = 0;
  /// Polynomial of the slab, see SlabKernel.
  float radius = 0.0F;
  float inverse_square = 0.0F;
  float c[8] = {};
  /// side³ times four floats (Re G, Im G, W, nothing), added to.
  float* sums = nullptr;
};

/// A stretch of columns of a transformed image that become texels: for x in [first, first + 8).
struct TexelTask {
  const TexelPlane* plane = nullptr;
  /// number y of line j at 2 (8 y + j), y in 0 … padded − 1.
  const float* columns = nullptr;
  std::int64_t padded = 0;
  std::int64_t first = 0;
  /// Number of the 8 columns that are used.
  std::int64_t count = 0;
  /// exp(−2πi k shift ÷ padded) times constants: of x from `first` on (8), of y as rows.
  const float* ramp_x_re = nullptr;
  const float* ramp_x_im = nullptr;
  const float* ramp_y_re = nullptr;
  const float* ramp_y_im = nullptr;
  /// Envelope of the CTF (and its scale), of x and of y.
  const float* envelope_x = nullptr;
  const float* envelope_y = nullptr;
  /// Turns of the CTF for frequencies in 1/Å; step is 1 ÷ (padded · pixel size).
  double mean = 0.0, cosine = 0.0, sine = 0.0, fourth = 0.0, constant = 0.0, step = 0.0;
  /// Aberrations that are corrected beside the CTF (in all modes but that without a CTF); null:
  /// none.
  const PlaneOptics* optics = nullptr;
  /// With optics: another factor of the CTF beside its envelopes, rows of 8; null: 1.
  const float* cross = nullptr;
  /// CtfUse as a number.
  int mode = 1;
  float weight = 1.0F;
  float* texels = nullptr;
};

struct InsertionKernels {
  /// Writes which samples may touch a tile; returns how many.
  std::int64_t (*cull)(const SampleNormals& normals, std::int64_t count, const float* centre,
                       std::int32_t* list) = nullptr;
  void (*slab)(const TileTask& task) = nullptr;
  /// Adds the sums of a task, `voxels` (a multiple of 4) of them, to the three planes of a tile.
  void (*spread_sums)(const float* sums, std::int64_t voxels, float* total) = nullptr;
  void (*texels)(const TexelTask& task) = nullptr;
};

/// The kernels for this machine.
const InsertionKernels& insertion_kernels();

}  // namespace aprscope
