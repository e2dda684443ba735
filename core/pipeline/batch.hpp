#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/io/measurement_write.hpp"
#include "core/pipeline/batch_share.hpp"
#include "core/pipeline/execution.hpp"
#include "core/pipeline/recipe.hpp"

namespace aprscope {

/// Options of a batch: one recipe for several files.
struct BatchOptions {
  /// Existing folder for the results, after the input: NAME.apr (labels within), NAME.tif, and
  /// NAME-labels.tif where pixels got labels last.
  std::filesystem::path output_folder;
  SourceSelection selection;
  /// .apr files get the tree and its means too.
  std::optional<bool> with_tree;
  /// Whether results may replace inputs.
  bool replace_inputs = false;
  /// Runs the share of one of several processes, see shares(). Names are those of the whole batch.
  std::optional<BatchPart> part{};
  /// Leaves a record of each result, see done_results.hpp, and takes what has one for done.
  bool keep_records = false;
  bool skip_done = false;
};

/// The result of one file.
struct BatchRow {
  std::string input;
  /// Number of the file among the inputs of the whole batch, from 1.
  std::size_t number = 1;
  /// Empty where it failed, and where all that the steps do is measure.
  std::filesystem::path output;
  double read_seconds = 0.0;
  /// Cost of each step that was done.
  std::vector<StepCost> costs;
  double write_seconds = 0.0;
  /// Particles of the result; 0 for pixels.
  std::uint64_t particles = 0;
  double computational_ratio = 0.0;
  /// Bytes of the result in memory, and in the file.
  std::uint64_t bytes = 0;
  std::uint64_t file_bytes = 0;
  /// Tables and curves that steps measured: files beside the result, NAME-TABLE.csv.
  std::vector<TableFile> measured;
  /// Whether the result is from an earlier run, of the same input by the same steps.
  bool done_before = false;
  /// The error in one sentence; empty for a success.
  std::string error;
};

/// Names of results, without ending, one an input and all different: the input's own name, with the
/// dataset's for "file.h5:/path", and with "-2", "-3", … where it occurs again.
std::vector<std::string> result_names(const std::vector<std::string>& inputs);

/// Runs the steps on one file after the other. A file that fails has its reason in its row and does
/// not stop the others; no input is overwritten unless that is asked for. `on_row` is called after
/// each file with all rows so far; for a part also before the first file, and with rows for files
/// that still wait, whose error says so: so a table with all files exists however the process ends.
/// Errors: cancelled.
Result<std::vector<BatchRow>> run_batch(
    const Recipe& recipe, const std::vector<std::string>& inputs, const BatchOptions& options,
    const Backend& backend, const JobContext& context = {},
    const std::function<void(const std::vector<BatchRow>&)>& on_row = {});

/// Tables of many files that were written, and ids of those that were not, since columns
/// differ.
struct StackedTables {
  std::vector<std::filesystem::path> written;
  std::vector<std::string> ids;
  std::vector<std::string> unlike;
};

/// Writes the tables of several files as one for each table that they share, "TABLE.csv" in the
/// folder, with the input before each row; nothing for one file. A part writes "TABLE.partK.csv",
/// even for one file, for merge_parts(). Errors: those of the file system, a table of that name
/// would replace an input or one of `others`.
Result<StackedTables> write_stacked(const Recipe& recipe, const std::vector<std::string>& inputs,
                                    const std::vector<BatchRow>& rows, const BatchOptions& options,
                                    std::vector<std::string> others = {});

/// The rows as CSV with a head line: file, output, seconds of reading, of each step and of writing,
/// particles, CR, bytes in memory and in the file, largest peak, backend, why that is another than
/// was asked for, "yes" where it was done before, error. Fields are empty for steps that a file did
/// not reach. `numbered`: before each row the number of its file, see PartMark.
std::string batch_csv(const Recipe& recipe, const std::vector<BatchRow>& rows,
                      bool numbered = false);

/// batch_csv() as the table of a part, with the tables of many files that it wrote; null: the part
/// is not finished.
std::string part_csv(const Recipe& recipe, const std::vector<std::string>& inputs,
                     const std::vector<BatchRow>& rows, const BatchOptions& options,
                     const StackedTables* tables = nullptr);

}  // namespace aprscope
