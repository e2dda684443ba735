#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "core/apr/structure/apr.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// Whether an .apr of an image of this size has its tree unless its writer says otherwise: above
/// 2^27 pixels, where only a file with its tree shows an overview before it is read. An octree has
/// some seven particles a cell of its tree; that of a single slice has three.
inline bool has_tree_by_default(const Size3& size) { return size.count() > (1LL << 27); }

/// Whether an .apr of an image of this size is packed by LZ4 instead of zstd: where files are
/// looked at in parts, a slice waits for what must be unpacked for it. They are a fifth to a third
/// larger, and unpacked five times as fast (benchmarks/large-files.md).
inline bool packs_for_looking(const Size3& size) { return has_tree_by_default(size); }

struct AprWriteOptions {
  /// Whether to write the structure of the tree and the mean of the main field on it; not set:
  /// has_tree_by_default().
  std::optional<bool> with_tree = {};
  /// Whether to pack for looking at parts; not set: packs_for_looking().
  std::optional<bool> for_looking = {};
};
/// Writes the linear layout of the reference library (blosc, every attribute); labels as a u32
/// field "labels".
Status write_apr(const Apr& apr, const std::filesystem::path& path,
                 const AprWriteOptions& options = {}, const JobContext& context = {});
/// Several channels and time points of one data set in one file. A structure that one shares with
/// that before it is in the file once, see link_structure().
Status write_apr_series(const std::vector<Apr>& series, const std::filesystem::path& path,
                        const AprWriteOptions& options = {}, const JobContext& context = {});

/// Makes part `index` of a file; its context is of its share of the progress.
using MakeApr = std::function<Result<Apr>(std::size_t index, const JobContext& context)>;
/// Writes parts that are made one after the other while the file is written, so that only one is in
/// memory at a time. Errors: also those of making parts; then nothing is written.
Status write_apr_parts(std::size_t count, const MakeApr& part, const std::filesystem::path& path,
                       const AprWriteOptions& options = {}, const JobContext& context = {});

}  // namespace aprscope
