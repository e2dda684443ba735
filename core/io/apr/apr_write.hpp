#pragma once

#include <filesystem>
#include <vector>

#include "core/apr/structure/apr.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

struct AprWriteOptions {
  /// Also write the tree's structure and the mean of the main field on it.
  bool with_tree = false;
};
/// Writes the linear layout of the reference library (blosc/zstd, every attribute); labels as a u32
/// field "labels".
Status write_apr(const Apr& apr, const std::filesystem::path& path,
                 const AprWriteOptions& options = {}, const JobContext& context = {});
/// Several channels and time points of one data set in one file.
Status write_apr_series(const std::vector<Apr>& series, const std::filesystem::path& path,
                        const AprWriteOptions& options = {}, const JobContext& context = {});

}  // namespace aprscope
