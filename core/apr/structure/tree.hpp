#pragma once

#include <span>
#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/apr/structure/apr.hpp"
#include "core/apr/structure/slice_span.hpp"
#include "core/base/job_context.hpp"

namespace aprscope {

/// How the value of an interior cell follows from its children.
enum class Reduction { mean, min, max };

/// Values of all interior cells, in the order of access.tree(): the reduction of the children that
/// exist (particles of the next level and interior cells of it), each child with equal weight.
/// `particles` has one value a particle. Errors: cancelled. Same bytes for any thread count.
Result<std::vector<float>> fill_tree(const AprAccess& access, std::span<const float> particles,
                                     Reduction reduction, const JobContext& context = {});

/// fill_tree() of a field of any type: each value as f32, without a copy of all of them as f32.
/// Errors: wrong lengths, no memory, cancelled.
Result<std::vector<float>> fill_tree(const AprAccess& access, const Field& particles,
                                     Reduction reduction, const JobContext& context = {});

/// fill_tree() into memory of the caller: one value for each cell of access.tree(). Takes no memory
/// once access.interior() exists. Errors: wrong lengths, no memory, cancelled.
Status fill_tree(const AprAccess& access, std::span<const float> particles, Reduction reduction,
                 std::span<float> tree, const JobContext& context = {});

/// The same into `out`, whose memory is used again: new memory takes longer than the values. After
/// an error `out` holds no tree.
Status fill_tree(const AprAccess& access, std::span<const float> particles, Reduction reduction,
                 std::vector<float>& out, const JobContext& context = {});

/// The means of the cells of levels `first` down to `last`, from those of level first + 1; of those
/// only the cells that begin in `slices`, whose bounds are multiples of the side of a cell of level
/// `last`, or the end. As fill_tree() of all levels, it takes no memory once access.interior()
/// exists.
Status fill_tree_levels(const AprAccess& access, std::span<const float> particles, int first,
                        int last, const SliceSpan& slices, std::span<float> tree,
                        const JobContext& context = {});

/// Completes the means of a tree in which those of the cells of level_max − 1 with all eight
/// children are set: computes the others of that level, and all levels above. Errors: wrong
/// lengths, no memory, cancelled.
Status finish_tree(const AprAccess& access, std::span<const float> particles, std::span<float> tree,
                   const JobContext& context = {});

}  // namespace aprscope
