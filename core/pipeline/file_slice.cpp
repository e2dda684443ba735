#include "core/pipeline/file_slice.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/image/plane_axes.hpp"
#include "core/io/apr/apr_file_part.hpp"

namespace aprscope {
namespace {

// Rows of cells that are worth opening the file once more for.
constexpr std::int64_t kRowsApart = 24;
// Parts that are read at once, each by a reader of its own.
constexpr std::int64_t kMostParts = 8;

using ReadPart = Result<std::optional<AprFilePart>>;

// Appends the planes of another image of the same rows, columns and type.
void append_planes(Volume& to, const Volume& more) {
  std::visit(
      [&](auto& pixels) {
        const auto& others = std::get<std::decay_t<decltype(pixels)>>(more.pixels);
        pixels.values.insert(pixels.values.end(), others.values.begin(), others.values.end());
        pixels.size.z += others.size.z;
      },
      to.pixels);
}

// Cuts a box along z at cells of 2^shift pixels.
std::vector<Region> cut_along_z(const Region& box, int shift) {
  const std::int64_t first = box.begin.z >> shift;
  const std::int64_t rows = ((box.end.z - 1) >> shift) + 1 - first;
  const std::int64_t count = std::clamp<std::int64_t>(
      rows / kRowsApart, 1, std::min<std::int64_t>(kMostParts, thread_count()));
  std::vector<Region> out;
  for (std::int64_t i = 0; i < count; ++i) {
    Region part = box;
    if (i > 0) part.begin.z = (first + rows * i / count) << shift;
    if (i + 1 < count) part.end.z = (first + rows * (i + 1) / count) << shift;
    out.push_back(part);
  }
  return out;
}

}  // namespace

Result<std::optional<FileSlices>> slices_of_file(const SourceInfo& info,
                                                 const SourceSelection& selection, int level,
                                                 const Region& box, const JobContext& context) {
  const int finest = finest_level(info.size);
  if (!info.is_apr || level < 1 || level > finest) return std::optional<FileSlices>();
  const int shift = finest - level;
  // A file lists its rows by z, and each plane that a slice along z crosses is elsewhere in it: the
  // time goes into unpacking a little of each.
  const std::vector<Region> regions = cut_along_z(box, shift);
  std::vector<ReadPart> parts(regions.size(), ReadPart(std::optional<AprFilePart>()));
  parallel_each(std::ssize(regions), static_cast<int>(regions.size()), [&](std::int64_t i, int) {
    const auto at = static_cast<std::size_t>(i);
    parts[at] = load_apr_file_part(info, selection, {level, regions[at], false}, context);
  });
  FileSlices out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i]) return parts[i].error();
    if (!*parts[i]) return std::optional<FileSlices>();
    Volume& part = (*parts[i])->image;
    if (i == 0) {
      out.cells = std::move(part);
    } else {
      append_planes(out.cells, part);
    }
  }
  const auto down = [&](std::int64_t v) { return v >> shift << shift; };
  const auto up = [&](std::int64_t v) { return (((v - 1) >> shift) + 1) << shift; };
  out.box = {{down(box.begin.z), down(box.begin.x), down(box.begin.y)},
             {up(box.end.z), up(box.end.x), up(box.end.y)}};
  return std::optional<FileSlices>(std::move(out));
}

std::optional<FileSlice> slice_of(const FileSlices& slices, Axis axis, std::int64_t number) {
  const std::int64_t side = slices.box.size().y / slices.cells.size().y;
  const std::int64_t index = number - component(slices.box.begin, axis) / side;
  if (index < 0 || index >= component(slices.cells.size(), axis)) return std::nullopt;
  FileSlice out{slice_pixels(slices.cells, axis, index), slices.box};
  component(out.box.begin, axis) = number * side;
  component(out.box.end, axis) = (number + 1) * side;
  return out;
}

Result<std::optional<FileSlice>> slice_of_file(const SourceInfo& info,
                                               const SourceSelection& selection, int level,
                                               Axis axis, const Region& box,
                                               const JobContext& context) {
  Region thin = box;
  component(thin.end, axis) = component(thin.begin, axis) + 1;
  const auto slices = slices_of_file(info, selection, level, thin, context);
  if (!slices) return slices.error();
  if (!*slices) return std::optional<FileSlice>();
  const int shift = finest_level(info.size) - level;
  return slice_of(**slices, axis, component(thin.begin, axis) >> shift);
}

}  // namespace aprscope
