#include "core/io/apr/apr_file_crop.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/apr/structure/crop.hpp"
#include "core/base/system.hpp"
#include "core/io/apr/apr_box_cells.hpp"
#include "core/io/apr/apr_errors.hpp"
#include "core/io/apr/apr_labels.hpp"
#include "core/io/apr/apr_watched.hpp"

namespace aprscope {
namespace {

// Shares of the progress.
constexpr double kRowsShare = 0.3;
constexpr double kCellsShare = 0.5;

struct NamedVector {
  std::string name;
  Hdf5Vector vector;
};

// The fields of the particles; none if one does not fit these: then load() reports the error.
Result<std::optional<std::vector<NamedVector>>> open_fields(const Hdf5Object& group,
                                                            const AprHeader& header) {
  std::vector<NamedVector> out;
  for (const std::string& field : header.fields) {
    auto vector = Hdf5Vector::open(group, field);
    if (!vector) return vector.error();
    if (vector->count() != header.particles) return std::optional<std::vector<NamedVector>>();
    out.push_back({field, *std::move(vector)});
  }
  return std::optional(std::move(out));
}

// Before more memory is taken: for so many cells of the file, their values and what is made of
// them.
Status check_room(std::uint64_t cells, std::span<const NamedVector> fields,
                  const std::string& where) {
  std::uint64_t each = 12;  // y, here and in the box, and where a cell comes from
  for (const NamedVector& field : fields) each += 2 * field.vector.type_size();
  const std::uint64_t left = available_bytes();
  if (left == 0 || cells * each <= left) return {};
  return Error{"the box has " + std::to_string(cells) + " particles or more, which need " +
                   format_bytes(cells * each) + " of memory where " + format_bytes(left) +
                   " are free",
               where, "take a smaller box"};
}

Result<std::vector<BoxCells>> read_cells(const AprCells& cells, const AprHeader& header,
                                         const Region& box, std::span<const NamedVector> fields,
                                         const std::string& where, const JobContext& context) {
  std::vector<BoxCells> levels;
  std::uint64_t count = 0;
  for (int l = 1; l <= header.level_max; ++l) {
    const double n = header.level_max;
    BoxCells level(cells, header, touched_cells(box, header.level_max, l), l);
    if (Status read = level.read(where, context.part((l - 1) / n, l / n)); !read) {
      return read.error();
    }
    count += level.count();
    if (Status room = check_room(count, fields, where); !room) return room.error();
    levels.push_back(std::move(level));
  }
  return levels;
}

Result<std::optional<Apr>> load_group(const AprFile& file, const std::string& name,
                                      const Region& box, const JobContext& context) {
  const auto opened = open_apr_group(file, name);
  if (!opened) return opened.error();
  const auto& [where, group, header] = *opened;
  if (header.random_access) return std::optional<Apr>();
  const auto cells = AprCells::open(group, header, 1, header.level_max, "");
  if (!cells) return cells.error();
  if (!*cells || (*cells)->count() != header.particles) return std::optional<Apr>();
  const auto fields = open_fields(group, header);
  if (!fields) return fields.error();
  if (!*fields) return std::optional<Apr>();
  // Check the box before anything is read.
  if (Status inside = check_box(header.size, box); !inside) return in_file(where, inside.error());

  const auto levels =
      read_cells(**cells, header, box, **fields, where, context.part(0.0, kRowsShare));
  if (!levels) return levels.error();
  std::vector<CropRows> rows;
  std::uint64_t count = 0;
  for (const BoxCells& level : *levels) {
    rows.push_back(level.rows());
    count += level.count();
  }
  auto cut =
      crop_cells(header.size, header.level_max, box, rows, context.part(kRowsShare, kCellsShare));
  if (!cut) return in_file(where, cut.error());
  auto access = AprAccess::create(std::move(cut->cells));
  if (!access) return in_file(where, access.error());
  Apr apr = described_apr(header);
  apr.access = *access;
  const double parts = static_cast<double>((*fields)->size() * levels->size());
  double done = 0.0;
  for (const auto& [field, vector] : **fields) {
    FieldValues values = make_values(vector.type(), 0);
    std::visit([&](auto& list) { list.reserve(count); }, values);
    for (const BoxCells& level : *levels) {
      const auto share = [&](double part) { return kCellsShare + (1.0 - kCellsShare) * part; };
      const JobContext here = context.part(share(done / parts), share((done + 1.0) / parts));
      if (Status read = level.append_values(vector, header.coding, values, here); !read) {
        return in_file(where, read.error());
      }
      done += 1.0;
    }
    apr.fields.push_back(std::make_shared<const Field>(Field{field, values_of(values, cut->from)}));
  }
  take_labels(apr);
  context.report(1.0, "reading");
  return std::optional<Apr>(std::move(apr));
}

Result<std::optional<Apr>> load_checked(const SourceInfo& info, const SourceSelection& selection,
                                        const Region& box, const JobContext& context) {
  const auto file = open_apr_file(info.path.string(), context.stop_token());
  if (!file) return file.error();
  const std::string* group = file->groups.find(selection.channel, selection.time);
  // load() says what is there.
  if (group == nullptr) return std::optional<Apr>();
  auto apr = load_group(*file, *group, box, context);
  if (!apr || !*apr) return apr;
  (*apr)->channel = file->groups.channels[static_cast<std::size_t>(selection.channel)];
  (*apr)->channel_index = selection.channel;
  (*apr)->time = file->groups.times[static_cast<std::size_t>(selection.time)];
  return apr;
}

}  // namespace

Result<std::optional<Apr>> load_apr_crop(const SourceInfo& info, const SourceSelection& selection,
                                         const Region& box, const JobContext& context) {
  return load_watched(info, [&] { return load_checked(info, selection, box, context); });
}

}  // namespace aprscope
