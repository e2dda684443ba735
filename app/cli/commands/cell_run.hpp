#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands/cell_steps.hpp"
#include "app/cli/shared/data_io.hpp"
#include "core/io/measurement_write.hpp"
#include "core/pipeline/execution.hpp"

namespace aprscope::cli {

/// What the command line of `cells` says.
struct CellsOptions {
  std::vector<std::string> inputs;
  /// With channel, time and voxel size; the path is that of each input.
  InputOptions input;
  CellSteps find;
  std::vector<Operation> steps;
  std::string output;
  std::string csv;
  std::string truth;
  /// Files whose channels are measured, too.
  std::vector<std::string> channels;
  bool all_channels = false;
  bool slices = false;
  bool contacts = false;
  bool walls = false;
  bool dark_walls = false;
  bool as_pixels = false;
  /// The image that particles were made from.
  std::string check;
  /// Time points, "all" or "FIRST-LAST"; empty: the one of `input`.
  std::string times;
  /// Cells keep their numbers from one to the next.
  bool follow = false;
};

/// What can be written of cells.
constexpr std::initializer_list<OutputKind> kCellsOutputs{OutputKind::tiff, OutputKind::apr,
                                                          OutputKind::recipe};

/// Cells of one file, with the tables that are asked for and a row about them.
struct MeasuredCells {
  Execution run;
  std::vector<TableFile> tables;
  Json row = Json::object();
};

/// All steps for data of this kind: pixels first where that is asked for, the table last. Labels of
/// a file with several time points are those of the input's. Errors: such a file lacks it, or has
/// seeds, which are those of the first one.
Result<std::vector<Operation>> cell_operations(const CellsOptions& options,
                                               const InputOptions& input, bool is_apr,
                                               const Size3& size, const VoxelSize& voxel,
                                               const JobContext& context);

/// Numbers of cells from one time point to the next.
struct FollowedCells {
  /// Of the time point before, as pixels; null: there is none.
  std::shared_ptr<const Labels> before;
  /// The largest number so far.
  std::uint32_t last = 0;
  /// Of the last time point that was found: cells that have a number of before, and those of
  /// before.
  std::size_t kept = 0;
  std::size_t earlier = 0;
};

/// Reads one input and finds or reads its cells. `follow`: they keep the numbers that they have
/// there, which becomes what is to be followed next; null: they have their own.
Result<MeasuredCells> find_cells(const CellsOptions& options, const InputOptions& input,
                                 Session& session, FollowedCells* follow = nullptr);

/// All files that a run reads: no output may replace one.
std::vector<std::string> files_for_cells(const CellsOptions& options);

/// Writes tables and names them in the report.
Status write_cell_tables(const CellsOptions& options, const std::vector<TableFile>& files,
                         Session& session);

}  // namespace aprscope::cli
