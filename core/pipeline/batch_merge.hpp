#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/pipeline/batch_share.hpp"

namespace aprscope {

/// The first line of the table of a part, "# {…}", which describes the part. Its rows begin with
/// the number of their file in the whole batch, from 1, in a column "nr".
struct PartMark {
  BatchPart part;
  /// Number of files of the whole batch.
  std::size_t files = 0;
  /// Fingerprint of the batch, see batch_id().
  std::string batch;
  /// Id of the table of many files that this is a part of; empty: the table of the batch itself.
  std::string table;
  /// In the table of the batch: folder and ids of the tables of many files that this part wrote,
  /// and of those that it did not write, since columns of its files differ.
  std::string folder{};
  std::vector<std::string> tables{};
  std::vector<std::string> unlike{};
  /// In the table of the batch: whether the part was run to its end, so that `tables` holds all.
  bool ended = false;
  /// In a table of many files: how many files have this table, also without rows in it.
  std::size_t of_files = 0;
};

/// A fingerprint that all parts of a batch share and no other batch has: of its recipe, its channel
/// and time point, its inputs in order, and the number of its parts.
std::string batch_id(const std::string& recipe, const std::vector<std::string>& inputs, int parts);

/// The first line of the table of a part.
std::string to_line(const PartMark& mark);

/// The tables of a batch, put together from those of its parts.
struct MergedBatch {
  std::string csv;
  std::size_t parts = 0;
  std::size_t rows = 0;
  /// Rows of the table of the batch that end in an error.
  std::size_t failed = 0;
  /// Tables of many files, and where they belong; none where `csv` is one itself.
  struct OfFiles {
    std::filesystem::path path;
    std::string csv;
  };
  std::vector<OfFiles> tables;
  /// Ids of those that cannot be one table, since files have other columns each.
  std::vector<std::string> unlike;
  /// Numbers of the parts that were not run to their end: `tables` have no rows of their files.
  std::vector<int> unfinished;
};

/// Merges tables of parts: rows in the order of the whole batch, each as it was written; for tables
/// of the batch itself, also the tables of many files that the parts wrote. Errors: a file is no
/// table of a part, parts are of several batches, one is missing (which) or there twice, columns
/// differ, a file of the batch is in no part or in two, a table that a part wrote is not there.
Result<MergedBatch> merge_parts(const std::vector<std::filesystem::path>& paths);

}  // namespace aprscope
