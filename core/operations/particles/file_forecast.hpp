#pragma once

#include <cstdint>
#include <filesystem>

#include "core/apr/convert/conversion_parameters.hpp"
#include "core/apr/convert/slice_source.hpp"
#include "core/base/job_context.hpp"
#include "core/io/apr/apr_write.hpp"

namespace aprscope {

/// How large the .apr of an image will be, written with these options, from parts of it that are
/// converted for that: those of some groups of slices, all over the image. The file is written
/// beside `output` and removed. Off by a third where the parts are like the rest, and too large for
/// images that repeat themselves, which are compressed better whole. Errors: those of reading, of
/// converting and of writing, cancelled; too little memory.
Result<std::uint64_t> forecast_bytes(SliceSource& source, const ConversionParameters& parameters,
                                     const AprWriteOptions& file,
                                     const std::filesystem::path& output,
                                     const JobContext& context = {});

/// Refuses a file for which its disk has clearly no room, before hours are spent on it. Writing one
/// of `bytes` takes twice as many for a while, so that an estimate which is twice too large refuses
/// nothing that fits. A disk that does not tell what is free has room.
Status check_disk(const std::filesystem::path& output, std::uint64_t bytes);

}  // namespace aprscope
