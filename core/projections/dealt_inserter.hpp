#pragma once

#include <memory>
#include <vector>

#include "core/projections/inserter.hpp"

namespace aprscope {

/// One inserter out of several that work at the same time, on devices of their own: the images of a
/// batch are dealt out between them, each sums its share into all tiles, and the sums are added up
/// at the end, in order. So each reads and transforms its own images only, and needs room for all
/// sums. The sums are the same bytes for a given number of them; one alone differs by rounding. The
/// solver is that of the first, which gets the sums of the others. Null where one of them has no
/// room for all tiles, or cannot be made: see make_split_inserter() for that. Errors: cancelled.
Result<std::unique_ptr<Inserter>> make_dealt_inserter(const InsertionPlan& plan,
                                                      const std::vector<InserterFactory>& places,
                                                      const JobContext& context);

}  // namespace aprscope
