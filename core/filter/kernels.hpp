#pragma once

#include <cstdint>

// The innermost loops, compiled for AVX2 and for AVX-512; filter_kernels() picks at run time. Both
// add products in the same order with fused multiply–adds, so that the bits agree. Nothing but
// plain data here: these files share no inline function with others (see aprscope_kernels()).
namespace aprscope {

/// Cells that are computed at once: a block holds the cells [16 b, 16 b + 16) of a row.
inline constexpr std::int64_t kBlock = 16;

/// The rows (2Z, 2Z + 1) × (2X, 2X + 1) of a level. They are the children of row (Z, X) of the
/// level above and hold cells at the same y: the children of its interior cells. Those that are not
/// interior themselves are particles. Bits and ranks as in InteriorMap.
struct QuadRow {
  std::int64_t cells = 0;    // positions of a row of this level
  std::int64_t parents = 0;  // … and of the level above
  const std::uint64_t* parent = nullptr;
  const std::uint16_t* parent_ranks = nullptr;
  const std::uint64_t* grand = nullptr;  // row (Z/2, X/2) two levels above
  const std::uint16_t* grand_ranks = nullptr;
  const float* coarse = nullptr;     // values of the particles in row (Z, X) of the level above
  int rows = 0;                      // how many of the four exist, in the order of z, then x
  const std::uint64_t* own[4] = {};  // interior cells of each row; null on the finest level
  const std::uint16_t* own_ranks[4] = {};
  const float* particles[4] = {};  // values of each row's particles
  const float* tree[4] = {};       // … and of its interior cells
  bool open = false;               // at least 16 more values lie behind those of each row
  // Parents whose cells are needed, in words of 64 from word `first_word` of their row on, and
  // those that may be needed at all: whole blocks, as far as they lie in the grid.
  const std::uint64_t* needed = nullptr;
  const std::uint64_t* inside = nullptr;
  std::int64_t first_word = 0;
  std::int64_t words = 0;
};

/// Parents, among the 64 of a word, whose cells lie in particles at least two levels coarser.
struct CoarseCells {
  std::int64_t word = 0;
  std::uint64_t parents = 0;
};

/// Where results of a QuadRow go; one row of values an output.
struct QuadResult {
  const std::uint64_t* parent = nullptr;
  const std::uint16_t* parent_ranks = nullptr;
  std::int64_t parent_words = 0;
  std::int64_t own_words = 0;
  int outputs = 0;                   // rows of values, whether a row of cells takes them or not
  const std::uint64_t* own[4] = {};  // null on the finest level
  const std::uint16_t* own_ranks[4] = {};
  float* out[4] = {};  // of each row's first particle; null: the row is not wanted
  // Runs follow one another along y, so that those of a row may overwrite what lies behind them, as
  // far as here.
  const float* out_end[4] = {};
  std::int64_t y_begin = 0, y_end = 0;  // only particles in here are written; in the grid
};

/// Rows of cells around a group of outputs: size_z + outputs_z − 1 planes of size_x + outputs_x − 1
/// rows each, `stride` apart. A plane points to where the stencil of a block that starts at 0
/// begins.
struct Window {
  const float* const* planes = nullptr;
  std::int64_t stride = 0;
  std::int64_t size_z = 1, size_x = 1, size_y = 1;  // of the stencil
  int outputs_z = 1, outputs_x = 1;                 // rows computed at once, 1 or 2 each
};

/// One weight of a stencil.
struct Tap {
  std::int32_t z = 0, x = 0, y = 0;
  float weight = 0.0F;
};

/// The values that a symmetric stencil multiplies: rows of size_z planes, each pointing at the row
/// of the output itself. Where the stencil is symmetric in z, planes at equal distance were already
/// added to one.
struct FoldedWindow {
  const float* const* planes = nullptr;
  std::int64_t stride = 0;  // from row to row in x
  std::int64_t size_z = 1;  // planes that are left
  std::int64_t radius_x = 0;
  bool pairs = false;              // symmetric in x: rows at equal distance are added
  std::int64_t sums = 1;           // weights along y; one of each pair where it is symmetric in y
  const float* weights = nullptr;  // (plane, row, sum); rows from the middle outwards where paired
};

struct FilterKernels {
  /// Writes the blocks with a needed parent to rows[0 … quad.rows): values of particles and
  /// interior cells, and of particles one level coarser. Cells in still coarser particles are left
  /// to the caller: lists their parents in `rest`, which has room for quad.words entries, and
  /// returns how many entries there are. Block b goes to rows[i] + 16 b − base.
  std::int64_t (*fill)(const QuadRow& quad, std::int64_t base, float* const* rows,
                       CoarseCells* rest);
  /// Writes cells that fill() left: the children of the parents in `cells`, to `count` rows as
  /// fill() does; values[i] is the value of the parents 2i and 2i + 1 of the word.
  void (*spread)(const CoarseCells& cells, const float* values, std::int64_t base,
                 float* const* rows, int count);
  /// Writes the means of the children of those parents of a quad of four rows of the finest level
  /// whose bits are set in `parents` (words as quad.needed): to `tree`, that of the first interior
  /// cell of the row of parents. The rows are those that fill() wrote.
  void (*means)(const QuadRow& quad, const std::uint64_t* parents, std::int64_t base,
                const float* const* rows, float* tree);
  /// Writes the values of the particles among runs of 16 cells that begin at `starts`, even
  /// numbers; those of run i, output o, are at values[o] + at[i].
  void (*store)(const QuadResult& quad, const std::int32_t* starts, std::int64_t count,
                const float* const* values, const std::int32_t* at);

  /// Correlation with all weights (z, x, y), of blocks that start at `starts`; results of block i
  /// go to out + 16 · outputs · i, one row of 16 an output.
  void (*correlate)(const Window& window, const float* weights, const std::int32_t* starts,
                    std::int64_t count, float* out);
  /// Correlation with the listed weights only: weights of 0 must not multiply (0 · NaN is NaN).
  void (*correlate_taps)(const Window& window, const Tap* taps, std::int64_t taps_count,
                         const std::int32_t* starts, std::int64_t count, float* out);

  /// Adds pairs of rows: out[k · out_stride + at + i] = below[k][at + i] + above[k][at + i] for
  /// i = 0 … 15, at = offset + starts[…].
  void (*add_rows)(const float* const* below, const float* const* above, std::int64_t pairs,
                   std::int64_t offset, const std::int32_t* starts, std::int64_t count, float* out,
                   std::int64_t out_stride);
  /// Sums over the rows of a folded window, one for each weight along y, which is not moved along y
  /// yet: sums[d · sum_stride + s + i], i = 0 … 15, = Σ_rows weight(row, d) · row[s + i].
  void (*fold)(const FoldedWindow& window, const std::int32_t* starts, std::int64_t count,
               float* sums, std::int64_t sum_stride);
  /// Moves and adds the sums of fold(): out[i] = Σ_d sums[d][s + d − radius + i], or, where the
  /// stencil is mirrored in y, sums[0][s + i] + Σ_d (sums[d][s − d + i] + sums[d][s + d + i]).
  /// Results of run k go to out + k · out_stride.
  void (*unfold)(const float* sums, std::int64_t sum_stride, std::int64_t count_sums, bool mirrored,
                 const std::int32_t* starts, std::int64_t count, std::int64_t out_stride,
                 float* out);

  /// One pass of a separable filter over blocks: out[s + i] = Σ_k weights[k] · rows[k][s + i]; and
  /// if `next` is not null, also of the rows k + 1 to `next`, which shares most loads.
  void (*weighted)(const float* const* rows, const float* weights, std::int64_t taps,
                   const std::int32_t* starts, std::int64_t count, float* out, float* next);
  /// weighted() for an odd number of weights with weights[k] = weights[taps − 1 − k]: rows of the
  /// same weight are added first, from the outermost inwards.
  void (*weighted_mirrored)(const float* const* rows, const float* weights, std::int64_t taps,
                            const std::int32_t* starts, std::int64_t count, float* out,
                            float* next);
  /// weighted() along one row, with the same bits: rows[k] = row + k.
  void (*along)(const float* row, const float* weights, std::int64_t taps,
                const std::int32_t* starts, std::int64_t count, float* out);
  /// As weighted(), but the largest (smallest) of rows[k][s + i].
  void (*largest)(const float* const* rows, std::int64_t taps, const std::int32_t* starts,
                  std::int64_t count, float* out, float* next);
  void (*smallest)(const float* const* rows, std::int64_t taps, const std::int32_t* starts,
                   std::int64_t count, float* out, float* next);

  /// Median and standard deviation (in double, two passes) of the window; results go where those of
  /// correlate() go. `scratch` has room for 16 values a cell of the window.
  void (*median)(const Window& window, const std::int32_t* starts, std::int64_t count,
                 float* scratch, float* out);
  void (*deviation)(const Window& window, const std::int32_t* starts, std::int64_t count,
                    float* out);
  /// Total-variation term of windows of 3 × 3 × 3, see make_variation().
  void (*variation)(const Window& window, const std::int32_t* starts, std::int64_t count,
                    float distance, float edge, float* out);
};

/// The kernels for this machine.
const FilterKernels& filter_kernels();

}  // namespace aprscope
