#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/operations/engine/iteration_hooks.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

class AprFileSlabs;

/// What is asked of a run from file to file.
struct FileRunOptions {
  /// Bytes that may be taken beyond what the program holds.
  std::uint64_t memory = 0;
  /// Whether to write the tree with its means, too, where the file has one.
  bool with_tree = false;
  /// Observers get no values of iterates; truth, start, background and PSF are not looked at.
  IterationHooks hooks{};
  /// See AprWriteOptions.
  std::optional<bool> for_looking{};
};

/// How a file was worked on.
struct FileRunReport {
  /// The operation with words such as "automatic" as numbers, see OperationType::settled.
  Operation operation;
  /// Whether its host ended it early.
  bool partial = false;
  std::int64_t slabs = 0;
  /// Slices that were read on either side of each.
  std::int64_t around = 0;
};

/// An operation on the CPU from one .apr to another, slab by slab, for particles that do not fit
/// into memory. Operations are complete.
struct FileEngine {
  /// Success, or why it needs the particles in memory, or parameters do not fit the file. Null:
  /// always success.
  Status (*takes)(const Operation&, const AprFileSlabs&) = nullptr;
  /// About the bytes that all of it takes in memory, with reading and writing. Errors: parameters
  /// that do not fit the file.
  Result<std::uint64_t> (*bytes)(const Operation&, const AprFileSlabs&) = nullptr;
  /// Writes the values that CpuEngine::run gives of the whole, bit for bit, in the place of the
  /// source's field. Errors: parameters, too little memory even for thin slabs, those of reading
  /// and writing; then `output` is as it was. Of several processes (FileRunOptions::hooks) the
  /// first writes the file (all must see the source under the same path); the others have
  /// cancelled_error() as their result, see Ranks::part().
  Result<FileRunReport> (*run)(const Operation&, AprFileSlabs&, const FileRunOptions&,
                               const std::filesystem::path& output, const JobContext&) = nullptr;
  /// Whether several processes can share it.
  bool shared = false;
};

}  // namespace aprscope
