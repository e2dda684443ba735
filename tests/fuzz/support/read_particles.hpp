#pragma once

#include "core/io/image_source.hpp"

namespace aprscope::fuzz {

/// Reads an APR whole and in parts, and draws slices of it.
void read_particles(const SourceInfo& info, const SourceSelection& selection);

}  // namespace aprscope::fuzz
