#include "core/io/apr/apr_file_crop.hpp"

#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/apr/structure/crop.hpp"
#include "core/io/apr/apr_cells.hpp"
#include "core/io/apr/apr_labels.hpp"
#include "core/io/apr/apr_watched.hpp"

namespace aprscope {
namespace {

// Shares of the time.
constexpr double kRowsShare = 0.3;
constexpr double kCellsShare = 0.5;

Error at(const std::string& where, Error error) {
  if (!error.cancelled()) error.where = where;
  return error;
}

// The planes of each level that the box touches.
Result<std::vector<CellRows>> read_rows(const AprCells& cells, const AprHeader& header,
                                        const Region& box, const JobContext& context) {
  std::vector<CellRows> out;
  for (int l = 1; l <= header.level_max; ++l) {
    const int shift = header.level_max - l;
    const double n = header.level_max;
    auto rows = cells.read(l, box.begin.z >> shift, ((box.end.z - 1) >> shift) + 1, header.coding,
                           context.part((l - 1) / n, l / n));
    if (!rows) return rows.error();
    out.push_back(std::move(*rows));
  }
  return out;
}

// Values of all cells in the rows, one level after the other.
Result<FieldValues> read_field(const Hdf5Vector& vector, const FieldCoding& coding,
                               std::span<const CellRows> rows, const JobContext& context) {
  FieldValues all = make_values(vector.type(), 0);
  for (const CellRows& level : rows) {
    if (level.count() == 0) continue;
    auto values = read_values(vector, level.ends.front(), level.count(), context);
    if (!values) return values.error();
    if (auto* grey = std::get_if<std::vector<std::uint16_t>>(&*values); coding.wnl && grey) {
      if (Status got = wnl_decode(std::span(*grey), coding.parameters, context); !got) {
        return got.error();
      }
    }
    std::visit(
        [&](auto& into) {
          const auto& more = std::get<std::decay_t<decltype(into)>>(*values);
          into.insert(into.end(), more.begin(), more.end());
        },
        all);
  }
  return all;
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
  const Size3& size = header.size;
  // Before anything is read.
  if (Status inside = check_box(size, box); !inside) return at(where, inside.error());

  auto rows = read_rows(**cells, header, box, context.part(0.0, kRowsShare));
  if (!rows) return rows.error();
  std::vector<CropRows> given;
  for (const CellRows& level : *rows) given.push_back({level.level, level.z0, level.ends, level.y});
  auto cut = crop_cells(size, header.level_max, box, given, context.part(kRowsShare, kCellsShare));
  if (!cut) return at(where, cut.error());
  auto access = AprAccess::create(std::move(cut->cells));
  if (!access) return at(where, access.error());
  Apr apr = described_apr(header);
  apr.access = *access;
  const double n = static_cast<double>(header.fields.size());
  for (std::size_t i = 0; i < header.fields.size(); ++i) {
    const std::string& field = header.fields[i];
    const auto vector = Hdf5Vector::open(group, field);
    if (!vector) return vector.error();
    if (vector->count() != header.particles) return std::optional<Apr>();  // load() says so
    const double share = (1.0 - kCellsShare) / n;
    const double from = kCellsShare + share * static_cast<double>(i);
    auto values = read_field(*vector, header.coding, *rows, context.part(from, from + share));
    if (!values) return at(where, values.error());
    apr.fields.push_back(
        std::make_shared<const Field>(Field{field, values_of(*values, cut->from)}));
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
