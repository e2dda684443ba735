#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/shared/data_io.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope::cli {

/// Options to filter from one file to another.
struct SlabFilterOptions {
  const InputOptions& input;
  const Operation& operation;
  const std::string& output;
  /// Memory to use, in bytes; 0: as much as is free.
  std::uint64_t memory = 0;
  /// Whether to write the tree; not set: has_tree_by_default(), and the input has one.
  std::optional<bool> with_tree;
};

/// Adds --memory.
void add_memory_option(CLI::App& command, std::uint64_t& memory);

/// Filters an .apr slab by slab into another if it does not fit into memory, or if several
/// processes share it. Returns false if it fits, or if the input cannot be read in slabs (an error
/// for several processes).
Result<bool> filter_in_slabs(const SlabFilterOptions& options, Session& session);

}  // namespace aprscope::cli
