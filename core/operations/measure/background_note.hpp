#pragma once

#include <string>

#include "core/dataset/dataset.hpp"
#include "core/operations/engine/operation_type.hpp"

namespace aprscope {

/// Advice, as one sentence, if a label took the background of an image for a cell (`share` of the
/// image, see background_share()); empty: none did.
std::string background_note(double share);

/// The share of these labels on this data, without measuring them.
double background_share_of(const Dataset& data, const Labels& labels);

/// How many labels the second half of an operation gave, and the background's share, from its first
/// half or from the labels. `prepared`: may be null.
LabelCounts label_counts(const LabelEngine& engine, const Operation& operation, const Dataset& data,
                         const Prepared* prepared, const Labels& labels);

}  // namespace aprscope
