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

/// The command line of `cells`.
struct CellsOptions {
  std::vector<std::string> inputs;
  /// The input with channel, time and voxel size; its path is replaced by that of each input.
  InputOptions input;
  CellSteps find;
  std::vector<Operation> steps;
  std::string output;
  std::string csv;
  std::string truth;
  /// Files with further channels to measure.
  std::vector<std::string> channels;
  bool all_channels = false;
  bool slices = false;
  bool contacts = false;
  bool walls = false;
  bool dark_walls = false;
  bool as_pixels = false;
  /// The image that the particles were made from.
  std::string check;
  /// Time points, "all" or "FIRST-LAST"; empty: the one of `input`.
  std::string times;
  /// Whether a cell keeps its number from one time point to the next.
  bool follow = false;
};

/// The kinds of output that cells can be written to.
constexpr std::initializer_list<OutputKind> kCellsOutputs{OutputKind::tiff, OutputKind::apr,
                                                          OutputKind::recipe};

/// The cells of one file, with the tables that were asked for and a row about the file.
struct MeasuredCells {
  Execution run;
  std::vector<TableFile> tables;
  Json row = Json::object();
};

/// All steps for data of this kind: conversion to pixels first if asked for, the table last. If the
/// file of labels has several time points, that of the input is used. Errors: the file lacks this
/// time point; it has seeds, which belong to the first time point only.
Result<std::vector<Operation>> cell_operations(const CellsOptions& options,
                                               const InputOptions& input, bool is_apr,
                                               const Size3& size, const VoxelSize& voxel,
                                               const JobContext& context);

/// The numbers of cells, handed on from one time point to the next.
struct FollowedCells {
  /// Labels of the previous time point, as pixels; null: there is none.
  std::shared_ptr<const Labels> before;
  /// The largest number so far.
  std::uint32_t last = 0;
  /// Of the last time point with a result: the number of cells that kept a number, and the number
  /// of cells at the time point before.
  std::size_t kept = 0;
  std::size_t earlier = 0;
};

/// Reads one input and finds its cells, or reads them. `follow`: cells get the numbers of the time
/// point before, and then are the ones to follow; null: they get numbers of their own.
Result<MeasuredCells> find_cells(const CellsOptions& options, const InputOptions& input,
                                 Session& session, FollowedCells* follow = nullptr);

/// All files that a run reads: no output may replace one.
std::vector<std::string> files_for_cells(const CellsOptions& options);

/// Writes tables and lists their files in the report.
Status write_cell_tables(const CellsOptions& options, const std::vector<TableFile>& files,
                         Session& session);

}  // namespace aprscope::cli
