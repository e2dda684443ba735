#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/io/measurement_write.hpp"
#include "core/pipeline/execution.hpp"
#include "core/pipeline/recipe.hpp"

namespace aprscope {

/// One recipe for several files.
struct BatchOptions {
  /// Existing folder for the results, after the input: NAME.apr (labels within), NAME.tif, and
  /// NAME-labels.tif where pixels got labels last.
  std::filesystem::path output_folder;
  SourceSelection selection;
  /// .apr files get the tree and its means too.
  bool with_tree = false;
  /// Results may replace inputs.
  bool replace_inputs = false;
};

/// What came of one file.
struct BatchRow {
  std::string input;
  /// Empty where it failed, and where all that the steps do is measure.
  std::filesystem::path output;
  double read_seconds = 0.0;
  /// One a step that was done.
  std::vector<StepCost> costs;
  double write_seconds = 0.0;
  /// Of the result; 0 for pixels.
  std::uint64_t particles = 0;
  double computational_ratio = 0.0;
  /// In memory, and in the file.
  std::uint64_t bytes = 0;
  std::uint64_t file_bytes = 0;
  /// Tables and curves that steps measured: files beside the result, NAME-TABLE.csv.
  std::vector<TableFile> measured;
  /// One sentence; empty for a success.
  std::string error;
};

/// Names of results, without ending, one an input and all different: the input's own name, with the
/// dataset's for "file.h5:/path", and with "-2", "-3", … where it occurs again.
std::vector<std::string> result_names(const std::vector<std::string>& inputs);

/// Runs the steps on one file after the other. A file that fails has its reason in its row and does
/// not stop the others; no input is overwritten unless that is asked for. `on_row` is called after
/// each file with all rows so far. Errors: cancelled.
Result<std::vector<BatchRow>> run_batch(
    const Recipe& recipe, const std::vector<std::string>& inputs, const BatchOptions& options,
    const Backend& backend, const JobContext& context = {},
    const std::function<void(const std::vector<BatchRow>&)>& on_row = {});

/// Writes the tables of several files as one for each table that they share, "TABLE.csv" in the
/// folder, with the input before each row; nothing for one file. Returns the paths. Errors: those
/// of the file system, a table of that name would replace an input or one
/// of `others`.
Result<std::vector<std::filesystem::path>> write_stacked(const std::vector<BatchRow>& rows,
                                                         const BatchOptions& options,
                                                         std::vector<std::string> others = {});

/// The rows as CSV with a head line: file, output, seconds of reading, of each step and of writing,
/// particles, CR, bytes in memory and in the file, largest peak, backend, why
/// that is another than was asked for, error. Empty fields where
/// a file did not come so far.
std::string batch_csv(const Recipe& recipe, const std::vector<BatchRow>& rows);

}  // namespace aprscope
