#pragma once

#include <cstdint>
#include <filesystem>

#include "core/io/apr/apr_slabs.hpp"
#include "core/operations/engine/file_engine.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// FileEngine::run() of a filter. Errors: also an operation that is none, values that are not
/// finite.
Result<FileRunReport> filter_apr_file(const Operation& complete, AprFileSlabs& file,
                                      const FileRunOptions& options,
                                      const std::filesystem::path& output,
                                      const JobContext& context = {});

/// FileEngine::bytes() of a filter.
std::uint64_t bytes_to_filter(const AprFileSlabs& file);

}  // namespace aprscope
