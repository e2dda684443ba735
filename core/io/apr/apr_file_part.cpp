#include "core/io/apr/apr_file_part.hpp"

#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "core/base/system.hpp"
#include "core/io/apr/apr_box_cells.hpp"
#include "core/io/apr/apr_watched.hpp"

namespace aprscope {
namespace {

// The cells of a level that a region of pixels touches.
Region cells_of(const Region& region, int shift) {
  const auto last = [&](std::int64_t end) { return ((end - 1) >> shift) + 1; };
  return {{region.begin.z >> shift, region.begin.x >> shift, region.begin.y >> shift},
          {last(region.end.z), last(region.end.x), last(region.end.y)}};
}

template <class T>
Pixels<T> whole_numbers(const Pixels<float>& in) {
  Pixels<T> out(in.size);
  for (std::size_t i = 0; i < in.values.size(); ++i) out.values[i] = static_cast<T>(in.values[i]);
  return out;
}

AnyPixels typed(Pixels<float> pixels, bool exact, bool levels, int type) {
  if (levels || (exact && type == 0)) return whole_numbers<std::uint8_t>(pixels);
  if (exact && type == 1) return whole_numbers<std::uint16_t>(pixels);
  return pixels;
}

Status check_request(const AprHeader& header, const AprFilePartRequest& request,
                     const std::string& where) {
  if (request.level < 0 || request.level > header.level_max) {
    return Error{"has no level " + std::to_string(request.level), where,
                 "use 1 to " + std::to_string(header.level_max)};
  }
  if (!request.region) return {};
  const auto& [b, e] = *request.region;
  const Size3& n = header.size;
  if (b.z < 0 || b.x < 0 || b.y < 0 || e.z > n.z || e.x > n.x || e.y > n.y || b.z >= e.z ||
      b.x >= e.x || b.y >= e.y) {
    return Error{"has no such region", where,
                 "choose one inside its " + std::to_string(n.z) + " × " + std::to_string(n.x) +
                     " × " + std::to_string(n.y) + " pixels"};
  }
  return {};
}

// Reads the cells of a level in a box of cells. Errors: also too little memory.
Result<CellRows> read_box(const AprCells& cells, const AprHeader& header, const Region& box,
                          int level, const FieldCoding& coding, const std::string& where,
                          const JobContext& context) {
  BoxCells in_box(cells, header, box, level);
  if (Status read = in_box.read(where, context.part(0.0, 0.5)); !read) return read.error();
  const std::uint64_t bytes = in_box.count() * (2 + 2 * sizeof(float));
  if (const std::uint64_t left = available_bytes(); left != 0 && bytes > left) {
    return Error{
        "needs " + format_bytes(bytes) + " of memory where " + format_bytes(left) + " are free",
        where, "take a smaller region or a coarser level"};
  }
  auto rows = in_box.planes(coding, context.part(0.5, 1.0));
  if (!rows && !rows.error().cancelled() && rows.error().where.empty()) {
    Error error = rows.error();
    error.where = where;
    return error;
  }
  return rows;
}

Result<std::optional<AprFilePart>> load_group(const AprFile& file, const std::string& name,
                                              const AprFilePartRequest& request,
                                              const JobContext& context) {
  const auto opened = open_apr_group(file, name);
  if (!opened) return opened.error();
  const auto& [where, group, header] = *opened;
  if (Status fine = check_request(header, request, where); !fine) return fine.error();
  const int finest = header.level_max;
  const int level = request.level == 0 ? finest : request.level;
  const std::string field = request.levels ? "" : main_field_name(header.fields);
  const bool whole_needed = header.random_access || (!request.levels && field.empty()) ||
                            (request.levels && level < finest);
  if (whole_needed) return std::optional<AprFilePart>();

  auto particles = AprCells::open(group, header, 1, finest, field);
  if (!particles) return particles.error();
  if (!*particles || (*particles)->count() != header.particles) return std::optional<AprFilePart>();
  std::optional<AprCells> tree;
  FieldCoding tree_coding;
  if (level < finest) {
    auto cells = open_apr_tree(file.root, group, header, field, tree_coding);
    if (!cells) return cells.error();
    if (!*cells) return std::optional<AprFilePart>();
    tree = std::move(*cells);
  }

  const Region pixels = request.region ? *request.region : whole(header.size);
  const Region region = cells_of(pixels, finest - level);
  AprFilePart out;
  out.level = level;
  std::vector<CellRows> rows;
  for (int l = 1; l <= level; ++l) {
    const double from = 0.7 * static_cast<double>(l - 1) / static_cast<double>(level);
    const Region cells = cells_of(region, level - l);
    auto read = read_box(**particles, header, cells, l, header.coding, where,
                         context.part(from, from + 0.7 / static_cast<double>(level)));
    if (!read) return read.error();
    out.cells_read += read->count();
    rows.push_back(std::move(*read));
  }
  if (tree) {
    auto read = read_box(*tree, header, region, level, tree_coding, where, context.part(0.7, 0.8));
    if (!read) return read.error();
    out.cells_read += read->count();
    rows.push_back(std::move(*read));
  }
  auto image = paint_cells(header.size, finest, level, region, rows, context.part(0.8, 1.0));
  if (!image) {
    Error error = image.error();
    if (!error.cancelled()) error.where = where;
    return error;
  }
  out.image.pixels =
      typed(std::move(*image), level == finest, request.levels, (*particles)->value_type());
  const double side = std::exp2(finest - level);
  out.image.voxel = header.voxel;
  out.image.voxel.z *= side;
  out.image.voxel.x *= side;
  out.image.voxel.y *= side;
  out.image.name = header.name;
  return std::optional<AprFilePart>(std::move(out));
}

Result<std::optional<AprFilePart>> load_checked(const SourceInfo& info,
                                                const SourceSelection& selection,
                                                const AprFilePartRequest& request,
                                                const JobContext& context) {
  const auto file = open_apr_file(info.path.string(), context.stop_token());
  if (!file) return file.error();
  const std::string* group = file->groups.find(selection.channel, selection.time);
  // load() says what is there.
  if (group == nullptr) return std::optional<AprFilePart>();
  auto part = load_group(*file, *group, request, context);
  if (!part || !*part) return part;
  Volume& image = (*part)->image;
  image.channel = file->groups.channels[static_cast<std::size_t>(selection.channel)];
  image.channel_index = selection.channel;
  image.time = file->groups.times[static_cast<std::size_t>(selection.time)];
  return part;
}

}  // namespace

Result<std::optional<AprFilePart>> load_apr_file_part(const SourceInfo& info,
                                                      const SourceSelection& selection,
                                                      const AprFilePartRequest& request,
                                                      const JobContext& context) {
  return load_watched(info, [&] { return load_checked(info, selection, request, context); });
}

}  // namespace aprscope
