#pragma once

#include "core/io/image_source.hpp"

namespace aprscope::fuzz {

/// Whether an image is small enough to be read for each of a million inputs.
bool worth_reading(const Size3& size);

/// Reads a pixel image whole and slice by slice, and expects the same bytes.
void read_pixels(const SourceInfo& info, const SourceSelection& selection);

}  // namespace aprscope::fuzz
