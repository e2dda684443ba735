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
  /// Only the share of one of several processes, see shares(). Names are those of the whole batch.
  std::optional<BatchPart> part{};
  /// Leaves a record of each result, see done_results.hpp, and takes what has one for done.
  bool keep_records = false;
  bool skip_done = false;
};

/// What came of one file.
struct BatchRow {
  std::string input;
  /// Its place among the inputs of the whole batch, from 1.
  std::size_t number = 1;
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
  /// What there is was made by an earlier run, of the same input by the same steps.
  bool done_before = false;
  /// One sentence; empty for a success.
  std::string error;
};

/// Names of results, without ending, one an input and all different: the input's own name, with the
/// dataset's for "file.h5:/path", and with "-2", "-3", … where it occurs again.
std::vector<std::string> result_names(const std::vector<std::string>& inputs);

/// Runs the steps on one file after the other. A file that fails has its reason in its row and does
/// not stop the others; no input is overwritten unless that is asked for. `on_row` is called after
/// each file with all rows so far; of a part also before the first and with rows for those that
/// wait, whose error says so: whatever ends the process leaves a table with all of its files.
/// Errors: cancelled.
Result<std::vector<BatchRow>> run_batch(
    const Recipe& recipe, const std::vector<std::string>& inputs, const BatchOptions& options,
    const Backend& backend, const JobContext& context = {},
    const std::function<void(const std::vector<BatchRow>&)>& on_row = {});

/// Tables of many files that were written, and ids of those that could not be: their columns
/// differ.
struct StackedTables {
  std::vector<std::filesystem::path> written;
  std::vector<std::string> ids;
  std::vector<std::string> unlike;
};

/// Writes the tables of several files as one for each table that they share, "TABLE.csv" in the
/// folder, with the input before each row; nothing for one file. Of a part "TABLE.partK.csv", for
/// one file too, as merge_parts() takes it. Errors: those of the file system, a table of that name
/// would replace an input or one of `others`.
Result<StackedTables> write_stacked(const Recipe& recipe, const std::vector<std::string>& inputs,
                                    const std::vector<BatchRow>& rows, const BatchOptions& options,
                                    std::vector<std::string> others = {});

/// The rows as CSV with a head line: file, output, seconds of reading, of each step and of writing,
/// particles, CR, bytes in memory and in the file, largest peak, backend, why that is another than
/// was asked for, "yes" where it was done before, error. Empty fields where a file did not come so
/// far. `numbered`: before each row the number of its file, see PartMark.
std::string batch_csv(const Recipe& recipe, const std::vector<BatchRow>& rows,
                      bool numbered = false);

/// The same as the table of a part, with the tables of many files that it wrote; null: it is not
/// at its end.
std::string part_csv(const Recipe& recipe, const std::vector<std::string>& inputs,
                     const std::vector<BatchRow>& rows, const BatchOptions& options,
                     const StackedTables* tables = nullptr);

}  // namespace aprscope
