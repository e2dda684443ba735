#pragma once

#include <filesystem>
#include <span>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/io/apr/apr_write.hpp"
#include "core/io/common/source_info.hpp"

namespace aprscope {

/// An .apr of one channel and time point, as inspect() describes it, which becomes that channel of
/// a file of several: counted from 0, alone it is the first.
struct AprPartFile {
  SourceInfo file;
  int channel_index = 0;
};

/// Writes the channels and time points of several .apr, one each, into one: the file that
/// write_apr_series() writes of them, with a few chunks in memory; of a tree, the means of the main
/// field, which is all that steps write. After an error `path` is as it
/// was. Errors: a part cannot be read slab by slab, or is damaged; two have the same place; the
/// disk is full, cancelled.
Status join_apr_files(std::span<const AprPartFile> parts, const std::filesystem::path& path,
                      const AprWriteOptions& options = {}, const JobContext& context = {});

}  // namespace aprscope
