#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "core/data/measurement.hpp"

namespace aprscope {

/// A measurement as one JSON object: {"aprscope_measurement": 1, "name",
/// "history", "notes", "curves": [{"id", "label", "x": {"id", "label", "unit",
/// "values"}, "ys": [...], "marks": [...]}], "tables": [{"id", "label",
/// "columns": [{"id", "label", "unit", "cells"}]}]}. A number that is not known
/// is null.
std::string to_json(const Measurement& measurement);

/// A table and the file that it becomes.
struct TableFile {
  std::filesystem::path path;
  Table table;
  /// Lines before it, each after "# ".
  std::vector<std::string> comments{};
};

/// The files of measurements, one for each curve or table: `path` where there is one only, else
/// "NAME-histogram.csv", "NAME-statistics.csv", "NAME-statistics-2.csv" … for "NAME.csv". A table
/// that has the points of curves says first what of, how, with which program and what its notes
/// are.
std::vector<TableFile> table_files(std::span<const std::shared_ptr<const Measurement>> measured,
                                   const std::filesystem::path& path);

/// Writes each file as CSV, see to_csv(), after its comments. Errors: those of the file system.
Status write_tables(const std::vector<TableFile>& files);

/// Joins tables with the same columns. A new first column (`id`, `label`) holds the text given for
/// each table. Empty if columns differ, or there are no tables.
Table stacked(const std::vector<std::pair<std::string, Table>>& tables, const std::string& id,
              const std::string& label);

}  // namespace aprscope
