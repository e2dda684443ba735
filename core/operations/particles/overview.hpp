#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/io/common/source_info.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// Bytes that a pixel image takes in memory with the f32 copy that is shown and computed with.
std::uint64_t bytes_to_show(const Size3& size, const std::string& dtype);

/// Bytes to show a channel and time point of an .apr file, by its headers; 0 where these do not
/// tell (the older layout). Errors: those of summarize_apr().
Result<std::uint64_t> particle_bytes_to_show(const SourceInfo& info,
                                             const SourceSelection& selection);

/// The finest level, but not the very finest, whose image of an APR of this size has no more than
/// 2^25 pixels and takes no more than `bytes` to show; 1 where none is small enough.
int overview_level(const Size3& size, std::uint64_t bytes);

/// The image of a level, for which only the needed part of the file is read: its tree has the
/// means. None: it has no tree, or is no file of particles with such a level. Errors: those of
/// load_apr_file_part().
Result<std::optional<Data>> level_of_file(const SourceInfo& info, const SourceSelection& selection,
                                          int level, const JobContext& context = {});

/// The step that makes the image of a level.
Operation level_step(int level);

/// The level whose image a step makes; none where it does something else.
std::optional<int> level_of(const Operation& step);

}  // namespace aprscope
