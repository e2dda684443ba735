#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

#include "core/projections/backproject_settings.hpp"
#include "core/projections/plane_optics.hpp"

namespace aprscope::gpu {

/// How one image becomes a plane, see ImageTerms.
struct PlaneTerms {
  // Phases in turns, as functions of squared frequencies in 1/Å, see Ctf.
  double mean, cosine, sine, fourth, constant;
  float ctf_scale, b_factor;
  float sign;
  float shift_x, shift_y;
  float weight;
  /// The square of ImageTerms::scale.
  float magnify;
  /// The distance between neighbouring frequencies in 1/Å.
  double step;
  std::int32_t window;  // its index
  /// Index in PrepareView::optics; −1: none.
  std::int32_t optics;
};

/// Properties that the images of a group share, see GroupOptics.
struct GroupTerms {
  PlaneOptics plane;
  /// Index of the first weight in PrepareView::weights, and their number; 0: all weights are 1.
  std::int32_t first_weight, weight_count;
  /// The largest of these weights, or 1.
  float most_weight;
};

/// Images on their way to texels: padded rows, spectra of rows, columns of these spectra.
struct PrepareView {
  const float* images;  // side² each
  const PlaneTerms* terms;
  const GroupTerms* optics;  // null: no image has any
  const float* weights;
  std::int32_t side, padded;
  std::int32_t columns;  // the number of columns used
  std::int32_t count;
  const float* windows;  // side² each
  float* squares;        // kSquareParts sums of squares of each image
  float* rows;           // side rows of padded floats
  float2* row_spectra;   // side rows of padded / 2 + 1
  float2* spectra;       // columns of padded
};
constexpr int kSquareParts = 8;

/// The texels to write: layers from `first_layer` on.
struct TexelView {
  CtfUse use;
  cudaSurfaceObject_t surface;  // of halves; or
  float* texels;                // floats: two a texel, four with weights
  std::int32_t width, height;   // along y and x
  std::int32_t zero_x, zero_y;  // the texel of frequency 0
  std::int32_t first_layer;
  float* scales;  // for halves: the factor of each layer's stored values
};

/// Multiplies images by their windows, and pads rows so that their centre comes first.
void pad_rows(const PrepareView& view, cudaStream_t stream);
/// Copies the spectra of rows to columns, padded so that their centre comes first.
void turn_columns(const PrepareView& view, cudaStream_t stream);
/// Shifts and corrects spectra, continues them beyond the axes, and writes them as texels.
void write_texels(const PrepareView& view, const TexelView& to, cudaStream_t stream);

}  // namespace aprscope::gpu
