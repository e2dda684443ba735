#pragma once

#include <vector>

#include "core/cells/exterior.hpp"

namespace aprscope {

/// Writes how many pixels labels have when each slice is filled by itself, and the slice that gains
/// most: a label keeps its pixels and gets lumen of `slices` (of fill_slices()) that has no label,
/// if no other label has more pixels in that piece of the slice. Pieces are those of all that is
/// not exterior, or (`of_lumens`) of the lumen. `findings` has all labels in order. Errors:
/// cancelled. Throws std::bad_alloc.
Status compare_slices(const Labels& labels, const CellParts& slices, bool of_lumens,
                      Connectivity membrane, std::vector<LabelFinding>& findings,
                      const JobContext& context = {});

/// Number of pixels of each label; [0] is that of pixels without a label.
std::vector<std::int64_t> label_counts(const Labels& labels);

}  // namespace aprscope
