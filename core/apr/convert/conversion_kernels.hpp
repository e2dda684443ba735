#pragma once

#include <cstdint>

// The innermost loops of conversion, compiled for AVX2 and for AVX-512; conversion_kernels() picks
// at run time. Both do the same operations in the same order, with the same fused multiply–adds, so
// that the bits agree.
namespace aprscope {

/// Slices that are filtered at once, and lines along y.
inline constexpr std::int64_t kBlockSlices = 8;
/// Rows of floats are padded to a multiple of this.
inline constexpr std::int64_t kPad = 16;

/// Two weighted sums of the samples of a row in some slices, less an offset.
struct WeightedRows {
  const void* const* rows = nullptr;
  std::int64_t count = 0;
  const float *first_weights = nullptr, *second_weights = nullptr;
  float offset = 0.0F;
  /// The two sums of each sample; room for a multiple of kPad.
  float *first = nullptr, *second = nullptr;
  std::int64_t length = 0;
};

/// One row of pixels through the slices of a block, for the recursive filter along z. The two final
/// results behind the block are sums of the causal results at its end and of pairs of weighted sums
/// of later samples, each times a 2 × 2 matrix: [first, second] of the pair to the result behind
/// the block, then to the one after it.
struct SliceRows {
  /// The row in each slice of the block, in the sample type of the image.
  const void* const* rows = nullptr;
  std::int64_t slices = 0;
  /// Offset that is subtracted from each sample.
  float offset = 0.0F;
  /// Feedback factors of the recursion; without `kept` samples are converted only.
  float feed1 = 0.0F, feed2 = 0.0F;
  /// State from block to block, in groups of kPad pixels: kPad values each of the causal results
  /// one and two slices before the block, then of the pairs that are known. A group is `group`
  /// floats long; groups follow along the row. Overwritten with the state for the next block.
  float* kept = nullptr;
  std::int64_t group = 0;
  /// Matrix of the causal results of the last slice and the one before.
  const float* state_matrix = nullptr;
  /// Where the pairs that are known begin in a group, and their matrices; the first pair is
  /// replaced by the new one.
  const std::int64_t* pair_at = nullptr;
  std::int64_t pairs = 0;
  const float* pair_matrices = nullptr;
  /// The pair that is made now, and its matrix (the last one).
  const void* const* ahead = nullptr;
  std::int64_t ahead_count = 0;
  const float *first_weights = nullptr, *second_weights = nullptr;
  /// The row of each slice that takes the results; room for a multiple of kPad.
  float* const* out = nullptr;
  /// Scratch: two rows with room for a multiple of kPad.
  float* work[2] = {};
  std::int64_t length = 0;
};

/// What is learnt about the grey values while they are read.
struct RangeSeen {
  /// Largest |sample − offset|.
  float largest = 0.0F;
  bool finite = true;
};

/// Starting weights of a recursive filter: the causal results at 0 and 1 from the first samples,
/// the final ones at n − 1 and n − 2 from the last samples, backwards.
struct LineFilter {
  float feed1 = 0.0F, feed2 = 0.0F;
  const float *first = nullptr, *second = nullptr, *last = nullptr, *before_last = nullptr;
  std::int64_t first_count = 0, second_count = 0, last_count = 0, before_last_count = 0;
};

/// Memory for the lines of one row of pixels through the slices of a block while they are filtered
/// along y: value y of slice k at lines[y · kBlockSlices + k].
struct LineScratch {
  /// Room for a multiple of kPad values of each line.
  float* lines = nullptr;
  /// Room for as many values as the last starting weights reach over, and 2 · kPad.
  float* tail = nullptr;
  /// The last two final results of each line, where the way back begins.
  float last[kBlockSlices] = {};
  float before_last[kBlockSlices] = {};
};

/// Lines that were filtered forward along y, and wait for the way back.
struct WaitingLines {
  const LineScratch* from = nullptr;
  /// Number of lines; 0: none wait.
  std::int64_t slices = 0;
  /// The row of each slice that takes the results; room for a multiple of kPad.
  float* out[kBlockSlices] = {};
};

/// The 2 × 2 rows of pixels of a row of blocks, and those around: rows[z][x] for the slices and
/// rows −1 … 2 (the corners are not used), repeated beyond the edges of the image. Each row is
/// readable from −1 to a multiple of kPad + kPad.
struct BlockRows {
  const float* rows[4][4];
  /// Factors of the differences.
  float scale_z = 0.0F, scale_x = 0.0F, scale_y = 0.0F;
  /// Factor of the sum of eight values.
  float share = 0.0F;
  /// Number of blocks.
  std::int64_t count = 0;
  /// Largest gradient of each block; may be null.
  float* gradient = nullptr;
  /// Mean of each block; room for a multiple of kPad.
  float* mean = nullptr;
};

/// Sums of the rows of samples below a row of cells: out[k] = share · (the sum of samples 2k and
/// 2k + 1 of all rows, row by row first), for k < count.
struct PairRows {
  const void* rows[4] = {};
  int row_count = 0;
  float share = 0.0F;
  std::int64_t count = 0;
  float* out = nullptr;
};

/// Local levels of `count` voxels, see LevelRule.
struct LevelRow {
  const float *gradient = nullptr, *scale = nullptr;
  std::int64_t count = 0;
  /// Gradients count above `above` and not below `least`.
  float above = 0.0F, least = 0.0F;
  /// Scales below sigma_th become that, those below sigma_th_max too become `infinite`.
  float sigma_th = 0.0F, sigma_th_max = 0.0F, infinite = 0.0F;
  /// Level = floor(log2(gradient ÷ scale · factor)), from 1 to `highest`.
  float factor = 0.0F;
  std::int32_t highest = 1;
  std::uint8_t* levels = nullptr;
};

struct ConversionKernels {
  /// Filters along z; one function for each sample type: u8, u16, f32.
  void (*filter_z[3])(const SliceRows& rows, RangeSeen& seen);
  void (*weighted_z[3])(const WeightedRows& rows);
  /// Filters along z, then forward along y, into `scratch` instead of `out`. Meanwhile filters the
  /// waiting lines back along y; they are equally long, and lie in another scratch.
  void (*filter_zy[3])(const SliceRows& rows, const LineFilter& along_y,
                       const WaitingLines& waiting, LineScratch& scratch, RangeSeen& seen);
  /// Filters the lines that wait back along y; `n` values each.
  void (*leave)(const LineFilter& along_y, const WaitingLines& waiting, std::int64_t n);
  /// Filters `width` (a multiple of kPad) neighbouring columns of n rows in place. Scratch: 4 ·
  /// width floats.
  void (*filter_x)(const LineFilter& filter, float* at, std::int64_t n, std::int64_t stride,
                   std::int64_t width, float* scratch);
  void (*blocks)(const BlockRows& rows);
  void (*levels)(const LevelRow& row);
  /// Means of pairs of samples; one function for each sample type: u8, u16, f32.
  void (*pair_means[3])(const PairRows& rows);
  /// out = (a + 4 b + c) / 6.
  void (*weigh)(const float* a, const float* b, const float* c, float* out, std::int64_t n);
  /// out[i] = mean of in over `half` samples to either side, cut at 0 and n.
  void (*box)(const float* in, float* out, std::int64_t n, int half);
  /// out = share · the sum of `count` rows.
  void (*sum_rows)(const float* const* rows, std::int64_t count, float share, float* out,
                   std::int64_t n);
  /// out = |value − share · the sum of `count` rows|.
  void (*deviation)(const float* value, const float* const* rows, std::int64_t count, float share,
                    float* out, std::int64_t n);
};

/// The kernels for this machine.
const ConversionKernels& conversion_kernels();

}  // namespace aprscope
