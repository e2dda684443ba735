#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/io/apr/apr_slabs.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

class Ranks;

struct FileFilterOptions {
  /// Bytes that may be taken beyond what the program holds.
  std::uint64_t memory = 0;
  /// Whether to write the tree with its means, too, where the file has one.
  bool with_tree = false;
  /// The processes that share the slabs; null: this one has all. Of several, `memory` is for each.
  Ranks* ranks = nullptr;
};

/// How a file was filtered.
struct FileFilterReport {
  std::int64_t slabs = 0;
  /// Slices that were read on either side of each.
  std::int64_t around = 0;
};

/// Filters the particles of a file slab by slab into another file: the values that run() gives of
/// the whole, on the CPU, bit for bit. Errors: not a filter, too little memory even for thin slabs,
/// values that are not finite, those of reading and writing; then `output` is as it was. The first
/// of several processes writes the file (all must see the source under the same path); the others
/// have cancelled_error() as their result, see Ranks::part().
Result<FileFilterReport> filter_apr_file(const Operation& complete, AprFileSlabs& file,
                                         const FileFilterOptions& options,
                                         const std::filesystem::path& output,
                                         const JobContext& context = {});

/// About the bytes that filtering all of it in memory takes, with reading and writing.
std::uint64_t bytes_to_filter(const AprFileSlabs& file);

}  // namespace aprscope
