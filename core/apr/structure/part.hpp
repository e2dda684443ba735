#pragma once

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

/// The same of a box of pixels [begin, end), multiples of that side in each dimension or the end of
/// the image. Kept are all particles in it that are no coarser. Neighbourhoods that reach out of
/// the box see its border.
Result<AprPart> box_of(const AprAccess& access, std::span<const float> values, int coarsest,
                       const Index3& begin, const Index3& end);

/// The levels up to `finest`, whose interior cells become particles with their mean (`tree`). Kept
/// are the particles coarser than that. Errors: no memory.
Result<AprPart> coarse_part_of(const AprAccess& access, std::span<const float> values,
                               std::span<const float> tree, int finest);

}  // namespace aprscope
