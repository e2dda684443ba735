#include "core/io/apr/apr_summary.hpp"

#include <exception>
#include <utility>

#include "core/io/apr/apr_errors.hpp"
#include "core/io/apr/apr_hdf5.hpp"
#include "core/io/apr/apr_header.hpp"

namespace aprscope {
namespace {

Result<std::optional<AprSummary>> summarize_group(const AprFile& file, const std::string& name) {
  const auto opened = open_apr_group(file, name);
  if (!opened) return opened.error();
  const auto& [where, group, header] = *opened;
  if (header.random_access) return std::optional<AprSummary>();

  AprSummary out;
  out.size = header.size;
  out.voxel = header.voxel;
  out.particles = header.particles;
  const auto y = Hdf5Vector::open(group, "y_vec");
  if (!y) return y.error();
  const auto ends = Hdf5Vector::open(group, "xz_end_vec");
  if (!ends) return ends.error();
  std::uint64_t rows = 1;
  out.particles_per_level.push_back(0);
  std::uint64_t before = 0;
  for (int l = 1; l <= header.level_max; ++l) {
    rows = row_entries(header.size, header.level_max, 1, l);
    if (rows > ends->count() || ends->type_size() != sizeof(std::uint64_t) || ends->type() >= 8) {
      return damaged_apr("dataset xz_end_vec does not fit its levels", where);
    }
    std::uint64_t end = 0;
    if (Status read = ends->read(rows - 1, 1, &end, {}); !read) return read.error();
    if (end < before) return damaged_apr("its rows are out of order", where);
    out.particles_per_level.push_back(end - before);
    before = end;
  }
  if (rows != ends->count() || before != header.particles || y->count() != header.particles) {
    return damaged_apr("its rows do not fit its " + std::to_string(header.particles) + " particles",
                       where);
  }
  out.bytes = y->count() * sizeof(std::uint16_t) + ends->bytes();
  const std::string main = main_field_name(header.fields);
  for (const std::string& field : header.fields) {
    const auto values = Hdf5Vector::open(group, field);
    if (!values) return values.error();
    if (values->count() != header.particles) {
      return damaged_apr("field " + field + " has " + std::to_string(values->count()) +
                             " values for " + std::to_string(header.particles) + " particles",
                         where);
    }
    out.bytes += values->bytes();
    if (field != main) continue;
    out.dtype = Field{main, make_values(values->type(), 0)}.dtype();
    out.pixel_bytes = static_cast<std::uint64_t>(out.size.count()) * values->type_size();
  }
  return std::optional<AprSummary>(std::move(out));
}

}  // namespace

Result<std::optional<AprSummary>> summarize_apr(const SourceInfo& info,
                                                const SourceSelection& selection) {
  try {
    const auto file = open_apr_file(info.path.string());
    if (!file) return file.error();
    const std::string* group = file->groups.find(selection.channel, selection.time);
    // load() says what is there.
    if (group == nullptr) return std::optional<AprSummary>();
    return summarize_group(*file, *group);
  } catch (const std::exception&) {
    // Exceptions here can only mean that memory is short.
    return Error{"does not fit into memory", info.path.string(), "close other data"};
  }
}

}  // namespace aprscope
