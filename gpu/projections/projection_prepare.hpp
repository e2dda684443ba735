#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "core/projections/backproject.hpp"
#include "core/projections/plane_optics.hpp"

namespace aprscope::gpu {

/// How one image becomes a plane, see ImageTerms.
struct PlaneTerms {
  // Turns, of squared frequencies in 1/Å, see Ctf.
  double mean, cosine, sine, fourth, constant;
  float ctf_scale, b_factor;
  float sign;
  float shift_x, shift_y;
  float weight;
  /// scale² of ImageTerms.
  float magnify;
  /// 1/Å from one frequency to the next.
  double step;
  std::int32_t window;  // which
  /// Which of PrepareView::optics; −1: none.
  std::int32_t optics;
};

/// What the images of a group share, see GroupOptics.
struct GroupTerms {
  PlaneOptics plane;
  /// Its first in PrepareView::weights, and how many; 0: weights are 1.
  std::int32_t first_weight, weight_count;
  /// The largest of them, or 1.
  float most_weight;
};

/// Images on their way to texels: padded rows, their spectra, columns of those.
struct PrepareView {
  const float* images;  // side² each
  const PlaneTerms* terms;
  const GroupTerms* optics;  // null: no image has any
  const float* weights;
  std::int32_t side, padded;
  std::int32_t columns;  // of the spectrum that are used
  std::int32_t count;
  const float* windows;  // side² each
  float* squares;        // kSquareParts sums of squares of each image
  float* rows;           // side rows of padded floats
  float2* row_spectra;   // side rows of padded / 2 + 1
  float2* spectra;       // columns of padded
};
constexpr int kSquareParts = 8;

/// Where texels go: layers from `first_layer` on.
struct TexelView {
  CtfUse use;
  cudaSurfaceObject_t surface;  // of halves, or
  float* texels;                // floats: two a texel, four with weights
  std::int32_t width, height;   // along y and x
  std::int32_t zero_x, zero_y;  // texel of frequency 0
  std::int32_t first_layer;
  float* scales;  // by layer: what values as stored are multiplied with; halves only
};

/// Multiplied, rows padded with their centre first.
void pad_rows(const PrepareView& view, cudaStream_t stream);
/// Columns of the rows' spectra, padded with their centre first.
void turn_columns(const PrepareView& view, cudaStream_t stream);
/// Shifted, corrected, continued beyond the axes.
void write_texels(const PrepareView& view, const TexelView& to, cudaStream_t stream);

}  // namespace aprscope::gpu
