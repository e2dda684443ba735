#pragma once

#include <cstdint>
#include <string>

#include "app/cli/shared/data_io.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope::cli {

/// One filter from file to file.
struct SlabFilterOptions {
  const InputOptions& input;
  const Operation& operation;
  const std::string& output;
  /// Bytes that may be taken; 0: what is free.
  std::uint64_t memory = 0;
  bool with_tree = false;
};

/// Adds --memory.
void add_memory_option(CLI::App& command, std::uint64_t& memory);

/// Filters an .apr slab by slab into another where it does not fit into memory; false where it
/// does, or where the input is none that can be read in slabs.
Result<bool> filter_in_slabs(const SlabFilterOptions& options, Session& session);

}  // namespace aprscope::cli
