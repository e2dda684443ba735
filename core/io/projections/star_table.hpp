#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

// Private to core/io: tables in STAR files (Hall 1991) as RELION writes them, and in Xmipp's
// dialect of them (.xmd). A row of a loop is one line.

namespace aprscope {

/// Limits for a file, so that none fills the memory.
struct StarLimits {
  std::uint64_t bytes = std::uint64_t{4} << 30U;
  std::size_t columns = 1024;
  std::size_t tables = 65536;
};

/// The values of a line: between blanks, or in ' ' or " " with blanks inside; [a,b] is one value,
/// as are its blanks; # where a value would begin starts a comment. Replaces what is in `values`,
/// which points into `line`. False: a quote or a bracket is not closed.
bool split_star_line(std::string_view line, std::vector<std::string_view>& values);

/// One table: rows under a list of labels. Rows stay text until they are read.
class StarTable {
 public:
  /// Name of the table, without data_.
  std::string name;
  /// Labels of the columns, without the leading _.
  std::vector<std::string> labels;

  struct Row {
    std::uint64_t begin = 0;
    std::uint32_t length = 0;
    /// Number of the line in the file, from 1.
    std::uint32_t line = 0;
  };
  std::vector<Row> rows;
  /// Values of a table without loop_, one for each label; it counts as one row. Its lines.
  std::vector<std::string> single;
  std::uint32_t single_line = 0;

  [[nodiscard]] std::size_t row_count() const { return single.empty() ? rows.size() : 1; }
  /// Index of a column; case matters. None if there is no such column.
  [[nodiscard]] std::optional<std::size_t> column(std::string_view label) const;
};

/// A whole file of them. The rows' text belongs to it.
struct StarFile {
  std::filesystem::path path;
  /// "# XMIPP_STAR_1" stands in its first line.
  bool xmipp = false;
  std::string text;
  std::vector<StarTable> tables;

  [[nodiscard]] const StarTable* table(std::string_view name) const;
  /// Values of a row, one for each label: they were counted when the file was read. The line they
  /// stand in comes back.
  std::uint32_t row(const StarTable& table, std::size_t number,
                    std::vector<std::string_view>& values) const;
};

/// Reads and checks a file. Errors name file and line: not text, larger than the limits, a loop
/// without labels, a row with more or fewer values than labels, a label twice, a quote that is not
/// closed; cancelled.
Result<StarFile> read_star(const std::filesystem::path& path, const StarLimits& limits = {},
                           const JobContext& context = {});

/// read_star() of a text; `path` is for messages.
Result<StarFile> parse_star(std::string text, const std::filesystem::path& path,
                            const StarLimits& limits = {}, const JobContext& context = {});

}  // namespace aprscope
