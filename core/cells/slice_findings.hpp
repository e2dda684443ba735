#pragma once

#include <vector>

#include "core/cells/exterior.hpp"

namespace aprscope {

/// Writes how many pixels labels have when each slice is filled by itself, and where that is most
/// more: beside its own pixels a label gets the lumen of `slices` (of fill_slices()) that has no
/// label, where in its piece of the slice no other label has more pixels. Pieces: of all that is
/// not exterior, or `of_lumens`, of the lumen. `findings` has all labels in order. Errors:
/// cancelled. Throws std::bad_alloc.
Status compare_slices(const Labels& labels, const CellParts& slices, bool of_lumens,
                      Connectivity membrane, std::vector<LabelFinding>& findings,
                      const JobContext& context = {});

/// Pixels of each label; [0] those of none.
std::vector<std::int64_t> label_counts(const Labels& labels);

}  // namespace aprscope
