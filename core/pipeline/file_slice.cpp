#include "core/pipeline/file_slice.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/io/apr/apr_file_part.hpp"

namespace aprscope {
namespace {

// Rows of cells that are worth opening the file once more for.
constexpr std::int64_t kRowsApart = 24;
// Parts that are read at once, each by a reader of its own.
constexpr std::int64_t kMostParts = 8;

using ReadPart = Result<std::optional<AprFilePart>>;

// The box as far as one slice needs it.
Region one_slice(const Region& box, Axis axis) {
  Region out = box;
  switch (axis) {
    case Axis::z:
      out.end.z = out.begin.z + 1;
      break;
    case Axis::x:
      out.end.x = out.begin.x + 1;
      break;
    case Axis::y:
      out.end.y = out.begin.y + 1;
      break;
  }
  return out;
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

Result<std::optional<FileSlice>> slice_of_file(const SourceInfo& info,
                                               const SourceSelection& selection, int level,
                                               Axis axis, const Region& box,
                                               const JobContext& context) {
  const int finest = finest_level(info.size);
  if (!info.is_apr || level < 1 || level > finest) return std::optional<FileSlice>();
  const int shift = finest - level;
  const Region thin = one_slice(box, axis);
  // A file lists its rows by z, and each plane that a slice along z crosses is elsewhere in it: the
  // time goes into unpacking a little of each.
  const std::vector<Region> regions = cut_along_z(thin, shift);
  std::vector<ReadPart> parts(regions.size(), ReadPart(std::optional<AprFilePart>()));
  parallel_each(std::ssize(regions), static_cast<int>(regions.size()), [&](std::int64_t i, int) {
    const auto at = static_cast<std::size_t>(i);
    parts[at] = load_apr_file_part(info, selection, {level, regions[at], false}, context);
  });
  FileSlice out;
  for (const ReadPart& part : parts) {
    if (!part) return part.error();
    if (!*part) return std::optional<FileSlice>();
    // Rows of the slice are planes of the file, where there are several parts.
    Plane plane = slice_pixels((*part)->image, axis, 0);
    out.plane.rows += plane.rows;
    out.plane.cols = plane.cols;
    if (out.plane.values.empty()) {
      out.plane.values = std::move(plane.values);
    } else {
      out.plane.values.insert(out.plane.values.end(), plane.values.begin(), plane.values.end());
    }
  }
  const auto down = [&](std::int64_t v) { return v >> shift << shift; };
  const auto up = [&](std::int64_t v) { return (((v - 1) >> shift) + 1) << shift; };
  out.box = {{down(thin.begin.z), down(thin.begin.x), down(thin.begin.y)},
             {up(thin.end.z), up(thin.end.x), up(thin.end.y)}};
  return std::optional<FileSlice>(std::move(out));
}

}  // namespace aprscope
