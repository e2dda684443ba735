#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/apr/structure/access.hpp"

namespace aprscope {

/// A part of an APR as an APR of its own, for work that cannot hold all of it at once.
struct AprPart {
  std::shared_ptr<const AprAccess> access;
  std::vector<float> values;
  /// A level of the part is this many levels finer in the whole.
  int level_shift = 0;
  /// Particles [from, from + count) of the part are [to, to + count) of the whole; those that are
  /// neither here nor there only surround them.
  struct Run {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    std::uint64_t count = 0;
  };
  std::vector<Run> kept;
  /// Where the values of all its particles come from, in order; only where a SlabSource asks for
  /// it. `repeated`: all of the run are particle `to` of the whole.
  struct Origin {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    std::uint64_t count = 0;
    bool repeated = false;
  };
  std::vector<Origin> origins{};
};

/// The levels from `coarsest` on in slices [begin, end), multiples of the side of a cell of that
/// level or the end of the image; coarser particles are repeated as cells of that level. Kept are
/// the particles whose cells begin in [keep_begin, keep_end), likewise multiples. A filter gives
/// them the values that it gives them in the whole, bit for bit, if its neighbourhoods (of cells of
/// each level) reach no further than the slices given. Errors: bounds that do not fit, too coarse a
/// level, no memory.
Result<AprPart> slab_of(const AprAccess& access, std::span<const float> values, int coarsest,
                        std::int64_t begin, std::int64_t end, std::int64_t keep_begin,
                        std::int64_t keep_end);

/// Rows of cells of one level in some slices: where the first begins and where each ends, counted
/// in the whole, and the y and the values of the cells in them.
struct LevelSlices {
  std::span<const std::uint64_t> ends;
  std::span<const std::uint16_t> y;
  std::span<const float> values;
};

/// An APR that is never whole in memory.
struct SlabSource {
  Size3 size{1, 1, 1};
  int level_max = 1;
  /// Cells of the levels 1 to `coarsest` at least, and their values.
  const LinearAccess* coarse = nullptr;
  std::span<const float> coarse_values;
  /// The cells of a finer level in its slices [z0, z1); they are used before the next are asked
  /// for.
  std::function<Result<LevelSlices>(int level, std::int64_t z0, std::int64_t z1)> slices{};
  /// Expected number of cells of the next slab, to reserve memory; 0: unknown.
  std::uint64_t expected_cells = 0;
  /// Whether to list AprPart::origins.
  bool origins = false;
};

/// slab_of() for an APR that is never whole in memory. Errors: also those of `slices`.
Result<AprPart> slab_of(const SlabSource& source, int coarsest, std::int64_t begin,
                        std::int64_t end, std::int64_t keep_begin, std::int64_t keep_end);

/// As slab_of(), of a box of pixels [begin, end): multiples of the side of a `coarsest` cell, or
/// the end of the image. Keeps all particles in it that are no coarser. Neighbourhoods that reach
/// out of the box see its border.
Result<AprPart> box_of(const AprAccess& access, std::span<const float> values, int coarsest,
                       const Index3& begin, const Index3& end);

/// The levels up to `finest`, whose interior cells become particles with their mean (`tree`). Kept
/// are the particles coarser than that. Errors: no memory.
Result<AprPart> coarse_part_of(const AprAccess& access, std::span<const float> values,
                               std::span<const float> tree, int finest);
/// coarse_part_of() of cells of the levels 1 to `finest` at least, and interior cells of `finest`.
Result<AprPart> coarse_part_of(const LinearAccess& cells, std::span<const float> values,
                               const LinearAccess& interior, std::span<const float> means,
                               int finest);

}  // namespace aprscope
