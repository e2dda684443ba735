#include "core/io/apr/apr_cells.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

#include "core/base/system.hpp"
#include "core/io/apr/apr_errors.hpp"

namespace aprscope {
namespace {

// Planes of rows whose ends are looked at together.
constexpr std::int64_t kPlanesAtOnce = 64;

}  // namespace

Result<std::optional<AprCells>> AprCells::open(const Hdf5Object& group, const AprHeader& header,
                                               int first, int last, const std::string& field) {
  AprCells out(header, group.where());
  const auto entries = [&](int to) {
    return row_entries(header.size, header.level_max, first, to);
  };
  out.first_rows_.resize(static_cast<std::size_t>(last) + 1, 0);
  for (int l = first; l <= last; ++l) {
    out.first_rows_[static_cast<std::size_t>(l)] = entries(l - 1);
  }
  auto y = Hdf5Vector::open(group, "y_vec");
  if (!y) return y.error();
  auto ends = Hdf5Vector::open(group, "xz_end_vec");
  if (!ends) return ends.error();
  if (ends->count() != entries(last) || ends->type_size() != 8 || ends->type() >= 8 ||
      y->type_size() != 2 || y->type() >= 8) {
    return std::optional<AprCells>();
  }
  out.y_ = std::move(*y);
  out.ends_ = std::move(*ends);
  if (!field.empty()) {
    auto values = Hdf5Vector::open(group, field);
    if (!values) return values.error();
    if (values->count() != out.y_->count()) return std::optional<AprCells>();
    out.values_ = std::move(*values);
  }
  return std::optional<AprCells>(std::move(out));
}

Status AprCells::read_ends(int level, std::int64_t z0, std::int64_t z1,
                           std::vector<std::uint64_t>& ends, const JobContext& context) const {
  const Size3 grid = level_grid(size_, level_max_, level);
  const std::uint64_t first =
      first_rows_[static_cast<std::size_t>(level)] - 1 + static_cast<std::uint64_t>(z0 * grid.x);
  ends.resize(static_cast<std::size_t>((z1 - z0) * grid.x) + 1);
  if (Status got = ends_->read(first, ends.size(), ends.data(), context); !got) return got;
  for (std::size_t r = 1; r < ends.size(); ++r) {
    if (ends[r] < ends[r - 1]) return damaged_apr("its rows are out of order", where_);
  }
  if (ends.back() > count()) return damaged_apr("its rows do not fit its particles", where_);
  return {};
}

Result<CellRows> AprCells::read_rows(int level, std::int64_t z0, std::int64_t z1, bool with_values,
                                     const JobContext& context) const {
  CellRows rows;
  rows.level = level;
  rows.z0 = z0;
  rows.z1 = z1;
  if (Status got = read_ends(level, z0, z1, rows.ends, context); !got) return got.error();
  const std::uint64_t begin = rows.ends.front();
  const std::uint64_t n = rows.count();
  const std::uint64_t bytes =
      n * (2 + (with_values ? sizeof(float) + values_->type_size() : std::size_t{0}));
  if (const std::uint64_t left = available_bytes(); left != 0 && bytes > left) {
    return Error{
        "needs " + format_bytes(bytes) + " of memory where " + format_bytes(left) + " are free",
        where_, "take a smaller region or a coarser level"};
  }
  rows.y.resize(n);
  if (Status got = y_->read(begin, n, rows.y.data(), context); !got) return got.error();
  return rows;
}

Result<CellRows> AprCells::read_cells(int level, std::int64_t z0, std::int64_t z1,
                                      const JobContext& context) const {
  return read_rows(level, z0, z1, false, context);
}

Result<CellRows> AprCells::read(int level, std::int64_t z0, std::int64_t z1,
                                const FieldCoding& coding, const JobContext& context) const {
  auto rows = read_rows(level, z0, z1, values_.has_value(), context);
  if (!rows || !values_) return rows;
  auto values = read_floats(rows->ends.front(), rows->count(), coding, context);
  if (!values) return values.error();
  rows->values = *std::move(values);
  return rows;
}

Result<std::vector<float>> AprCells::read_floats(std::uint64_t begin, std::uint64_t count,
                                                 const FieldCoding& coding,
                                                 const JobContext& context) const {
  auto values = read_values(*values_, begin, count, context);
  if (!values) return values.error();
  if (auto* grey = std::get_if<std::vector<std::uint16_t>>(&*values); coding.wnl && grey) {
    if (Status got = wnl_decode(std::span(*grey), coding.parameters, context); !got) {
      return damaged_apr(got.error().what, where_);
    }
  }
  if (auto* floats = std::get_if<std::vector<float>>(&*values)) return std::move(*floats);
  return Field{"", std::move(*values)}.to_float();
}

Result<std::vector<std::uint64_t>> AprCells::plane_ends(int level,
                                                        const JobContext& context) const {
  const Size3 grid = level_grid(size_, level_max_, level);
  std::vector<std::uint64_t> planes, ends;
  planes.reserve(static_cast<std::size_t>(grid.z) + 1);
  for (std::int64_t z = 0; z < grid.z; z += kPlanesAtOnce) {
    const std::int64_t end = std::min(grid.z, z + kPlanesAtOnce);
    if (Status got = read_ends(level, z, end, ends, context); !got) return got.error();
    for (std::int64_t p = z; p < end; ++p) {
      planes.push_back(ends[static_cast<std::size_t>((p - z) * grid.x)]);
    }
    if (end == grid.z) planes.push_back(ends.back());
  }
  return planes;
}

Result<std::optional<AprCells>> open_apr_tree(const Hdf5Object& root, const Hdf5Object& group,
                                              const AprHeader& header, const std::string& name,
                                              FieldCoding& coding) {
  const Hdf5Object tree = group.child(kAprTree);
  for (const Hdf5Object& needed :
       {tree, tree.child("y_vec"), tree.child("xz_end_vec"), tree.child(name)}) {
    const auto kind = needed.reader->kind(needed.path);
    if (!kind) return kind.error();
    if (!*kind) return std::optional<AprCells>();
  }
  auto stated = read_field_coding(tree, root, header.parameters);
  if (!stated) return stated.error();
  coding = *stated;
  return AprCells::open(tree, header, 0, header.level_max - 1, name);
}

}  // namespace aprscope
