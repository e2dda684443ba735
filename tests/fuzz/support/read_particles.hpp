#pragma once

#include "core/io/image_source.hpp"

namespace aprscope::fuzz {

/// Reads an APR in one of the ways that there are, `way` modulo their number: its summary, parts of
/// it, or all of it, with slices drawn.
void read_particles(const SourceInfo& info, const SourceSelection& selection, std::uint64_t way);

}  // namespace aprscope::fuzz
