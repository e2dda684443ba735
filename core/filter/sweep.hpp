#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/aligned_vector.hpp"
#include "core/filter/filter_input.hpp"
#include "core/filter/slab.hpp"
#include "core/filter/stencil.hpp"

namespace aprscope::detail {

/// A quad whose runs end before run `end` of a list.
struct RunsOfQuad {
  std::int64_t x = 0;
  std::int64_t end = 0;
};

/// Room for the work on one slab; one a thread. Dense rows start out as zeros: vectors also read
/// values that do not matter, and would be slow if these were no numbers.
struct SweepScratch {
  AlignedVector<float> rows;
  AlignedVector<float> passed;
  AlignedVector<float> zeros;
  AlignedVector<float> results;
  AlignedVector<float> more;
  std::vector<const float*> pointers;
  std::vector<const float*> planes;
  std::vector<const float*> part;
  std::vector<std::int32_t> runs;  // where they begin in the grid, and below in dense rows
  std::vector<std::int32_t> starts;
  std::vector<RunsOfQuad> quads;
  // Lists for FoldedCorrelation and PassFilter.
  std::vector<std::uint64_t> row_masks;
  std::vector<std::int32_t> row_lists, quad_lists, vectors, blocks;
};

/// A filter of neighbourhoods. The value of a cell depends on its neighbourhood only, not on which
/// other cells are computed, so that a preview agrees with the whole bit for bit.
class SweepFilter {
 public:
  virtual ~SweepFilter() = default;
  /// Cells on each side that a value depends on.
  [[nodiscard]] virtual Size3 radius() const = 0;
  /// Quads a slab should have in z and x, and how many blocks at most.
  virtual void shape(Slab& slab) const = 0;
  /// Takes the memory that a slab of this shape needs. Throws std::bad_alloc.
  virtual void reserve(const Slab& largest, SweepScratch& scratch) const = 0;
  /// Computes a slab: reads quads from the source, stores results there. Stops early, with whatever
  /// is stored by then, when the context asks to.
  virtual void run(const Slab& slab, QuadSource& source, Boundary boundary, SweepScratch& scratch,
                   const JobContext& context) const = 0;
};

/// Correlation; as three 1-D passes where the stencil is separable and large enough to gain.
std::unique_ptr<SweepFilter> make_correlation(const Stencil& stencil);
/// sqrt(Σ g²) of several correlations.
std::unique_ptr<SweepFilter> make_magnitude(const std::vector<Stencil>& components);
/// Divergence of the direction of the gradient, see total_variation_term(), on cells `distance`
/// pixels apart. Differences count as at least `edge`, which may change between sweeps.
std::unique_ptr<SweepFilter> make_variation(double distance, const float* edge);
std::unique_ptr<SweepFilter> make_statistic(LocalStatistic statistic, const Size3& size);

/// A grid to sweep: which cells of it are wanted, with which filter.
struct SweepLevel {
  int level = 0;
  Size3 grid{1, 1, 1};
  Region wanted;
  const SweepFilter* filter = nullptr;
  bool image = false;  // the source is an image
};

/// A sweep that is done again and again: its work is listed and its memory taken once.
class Sweeper {
 public:
  using MakeSource = std::function<std::unique_ptr<QuadSource>()>;
  /// `make_source` is called once a thread, here. The filters must outlive the sweeper. Throws
  /// std::bad_alloc.
  Sweeper(const std::vector<SweepLevel>& levels, const MakeSource& make_source);
  ~Sweeper();
  Sweeper(const Sweeper&) = delete;
  Sweeper& operator=(const Sweeper&) = delete;

  [[nodiscard]] const std::vector<std::unique_ptr<QuadSource>>& sources() const;
  /// Sweeps all levels once. Errors: cancelled.
  Status run(Boundary boundary, const JobContext& context);
  /// Bytes of scratch, without those of the sources.
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Sweeps all levels on all threads; `make_source` is called once a thread. Errors: cancelled, not
/// enough memory.
Status sweep(const std::vector<SweepLevel>& levels,
             const std::function<std::unique_ptr<QuadSource>()>& make_source, Boundary boundary,
             const JobContext& context);

/// Fills the rows of the slab beyond the ends of the grid: with reflected cells, or zeros.
void extend_rows(const Slab& slab, Boundary boundary, std::span<float* const> rows);

}  // namespace aprscope::detail
