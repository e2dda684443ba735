#pragma once

#include <filesystem>
#include <functional>

#include "core/apr/structure/apr_sink.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// Puts an APR, all of it.
using PutApr = std::function<Status(AprSink& sink, const JobContext& context)>;

/// Writes the .apr that `put` puts piece by piece: the same bytes as write_apr() of the whole, with
/// a few chunks in memory. What the file has no place for yet waits, packed, in files without names
/// beside `path`. After an error `path` is as it was. Errors: those of `put`, pieces that are
/// missing, the disk is full, cancelled.
Status write_apr_pieces(const std::filesystem::path& path, const PutApr& put,
                        const JobContext& context = {});

}  // namespace aprscope
