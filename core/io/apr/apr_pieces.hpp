#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>

#include "core/apr/structure/apr_sink.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/io/apr/apr_write.hpp"

namespace aprscope {

/// Puts an APR, all of it.
using PutApr = std::function<Status(AprSink& sink, const JobContext& context)>;
/// Puts part `index` of a file, all of it; its context is of its share of the progress.
using PutAprPart =
    std::function<Status(std::size_t index, AprSink& sink, const JobContext& context)>;

/// Writes an .apr that `put` supplies piece by piece: the same bytes as write_apr() of the whole,
/// with a few chunks in memory. Data that cannot be written yet wait, packed, in nameless files
/// beside `path`. Whether there is a tree is said by what is put, not by `options`. After an error
/// `path` is as it was. Errors: those of `put`, pieces that are missing, the disk is full,
/// cancelled.
Status write_apr_pieces(const std::filesystem::path& path, const PutApr& put,
                        const AprWriteOptions& options = {}, const JobContext& context = {});
/// Several channels and time points of one data set in one file, put one after the other: the same
/// bytes as write_apr_series(). Errors: as above, of any part.
Status write_apr_series_pieces(const std::filesystem::path& path, std::size_t count,
                               const PutAprPart& put, const AprWriteOptions& options = {},
                               const JobContext& context = {});

}  // namespace aprscope
