#pragma once

#include <string>

#include "core/dataset/dataset.hpp"

namespace aprscope {

/// What to try where labels took the background of an image for a cell (`share` of the image, see
/// background_share()), as one sentence; empty: they did not.
std::string background_note(double share);

/// The share of these labels on this data, without measuring them.
double background_share_of(const Dataset& data, const Labels& labels);

}  // namespace aprscope
