#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/apr/sample/cell_rows.hpp"
#include "core/io/apr/apr_hdf5.hpp"
#include "core/io/apr/apr_header.hpp"

// Private to core/io: rows of an .apr file, without the rest of it.

namespace aprscope {

/// Particles or tree cells of one channel and time point in the linear layout.
class AprCells {
 public:
  /// The cells of `group` on the levels [first, last] with their `field` (empty: none). None if
  /// datasets do not fit the levels and each other. Errors: a dataset is missing or damaged.
  static Result<std::optional<AprCells>> open(const Hdf5Object& group, const AprHeader& header,
                                              int first, int last, const std::string& field);

  [[nodiscard]] std::uint64_t count() const { return y_->count(); }
  /// Index of the field's type in FieldValues; −1 without a field.
  [[nodiscard]] int value_type() const { return values_ ? values_->type() : -1; }

  /// Rows of the planes [z0, z1) of a level; their ends count from the first cell of all. Errors:
  /// rows that are out of order, no memory, cancelled.
  Result<CellRows> read(int level, std::int64_t z0, std::int64_t z1, const FieldCoding& coding,
                        const JobContext& context) const;
  /// The same without values.
  Result<CellRows> read_cells(int level, std::int64_t z0, std::int64_t z1,
                              const JobContext& context) const;
  /// The values [begin, begin + count) of the field that they were opened with. Errors: no memory,
  /// cancelled.
  Result<std::vector<float>> read_floats(std::uint64_t begin, std::uint64_t count,
                                         const FieldCoding& coding,
                                         const JobContext& context) const;

  /// Where row (z, 0) of a level begins, for each plane and the end of the last: grid z + 1 values.
  Result<std::vector<std::uint64_t>> plane_ends(int level, const JobContext& context) const;

  /// The datasets of y and of row ends.
  [[nodiscard]] const Hdf5Vector& y() const { return *y_; }
  [[nodiscard]] const Hdf5Vector& ends() const { return *ends_; }
  /// The dataset of the field, if they were opened with one.
  [[nodiscard]] const std::optional<Hdf5Vector>& values() const { return values_; }
  /// Index into ends() of where the first row of a level begins.
  [[nodiscard]] std::uint64_t first_entry(int level) const {
    return first_rows_[static_cast<std::size_t>(level)] - 1;
  }

 private:
  AprCells(const AprHeader& header, std::string where)
      : size_(header.size), level_max_(header.level_max), where_(std::move(where)) {}
  Result<CellRows> read_rows(int level, std::int64_t z0, std::int64_t z1, bool with_values,
                             const JobContext& context) const;
  Status read_ends(int level, std::int64_t z0, std::int64_t z1, std::vector<std::uint64_t>& ends,
                   const JobContext& context) const;

  Size3 size_;
  int level_max_;
  std::string where_;
  std::vector<std::uint64_t> first_rows_;
  std::optional<Hdf5Vector> y_, ends_, values_;
};

/// The tree in the file, with the means of field `name`, and how they are coded; none: no tree.
Result<std::optional<AprCells>> open_apr_tree(const Hdf5Object& root, const Hdf5Object& group,
                                              const AprHeader& header, const std::string& name,
                                              FieldCoding& coding);

}  // namespace aprscope
