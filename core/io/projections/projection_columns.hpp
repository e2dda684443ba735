#pragma once

#include <limits>
#include <span>
#include <string>
#include <utility>

#include "core/io/common/read_limits.hpp"
#include "core/io/projections/projection_row_reader.hpp"
#include "core/io/projections/projection_rows.hpp"

// Private to core/io: code shared by the readers of RELION's and Xmipp's columns.

namespace aprscope {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Warns of columns that change what images are and that nothing here uses, `used` not counted.
void warn_of_unused(const StarFile& file, const StarTable& table, ProjectionTable& out,
                    std::span<const char* const> used = {});
void warn_of_missing(const StarColumn& column, const std::string& consequence,
                     ProjectionTable& out);

/// The table of images, and a word about others.
Result<const StarTable*> table_of_images(const StarFile& file, const char* label,
                                         const char* preferred, ProjectionTable& out);

int half_of(StarRowReader& reader, const StarColumn& column);

/// Reports and requests to stop are looked at once in so many rows.
constexpr std::size_t kRowsBetween = 4096;

/// Most unusable rows that get their own reason: more would fill the memory, and nobody reads them.
constexpr std::size_t kMostReasons = 4096;
/// Reason of the others: short enough to need no memory of its own.
constexpr const char* kNoReason = "cannot be used";

/// Reads all rows with `take(reader, row)`; what the reader complains about makes a row unusable.
template <class Take>
Status read_rows(const StarFile& file, const StarTable& table, ProjectionTable& out,
                 const JobContext& context, const Take& take) {
  StarRowReader reader(file, table);
  const std::size_t count = table.row_count();
  // Assume that all rows are unusable, as a hostile table may have.
  const std::uint64_t bytes =
      std::uint64_t{count} * (sizeof(Projection) + sizeof(UnusableRow)) + kMostReasons * 128;
  if (Status fits = check_memory(bytes, file.path); !fits) return fits;
  out.rows.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kRowsBetween == 0) {
      if (context.stop_requested()) return cancelled_error();
      context.report(static_cast<double>(i) / static_cast<double>(count), "reading");
    }
    reader.move_to(i);
    Projection row;
    row.line = reader.line();
    take(reader, row);
    if (!reader.why().empty()) {
      std::string why = kNoReason;
      if (out.unusable.size() < kMostReasons) {
        why = reader.why() + " (line " + std::to_string(row.line) + ")";
      }
      out.unusable.push_back({static_cast<std::int64_t>(i), std::move(why), RowTrouble::number});
    }
    out.rows.push_back(row);
  }
  return {};
}

Result<ProjectionRows> read_relion(const StarFile& file, const JobContext& context);
Result<ProjectionRows> read_xmipp(const StarFile& file, const JobContext& context);

/// A table of cryoSPARC (.cs, see read_npy_table()), whose rows count as lines: blob/path and
/// blob/idx, alignments3D/pose (a rotation vector), shift and split, ctf/…; fields that change the
/// physics and are not used stand in the warnings. Errors: those of the header, no fields that name
/// images, no rows, cancelled.
Result<ProjectionRows> read_cryosparc(const std::string& path, const JobContext& context);

}  // namespace aprscope
