#include "core/io/projections/projection_format.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/io/projections/projection_file.hpp"

namespace aprscope {
namespace {

// Slices of a set that are in memory at a time.
constexpr std::int64_t kShownBytes = std::int64_t{128} << 20;

Result<bool> is_table(const Probe& probe) { return is_projection_table(probe.path().string()); }

// How many images are slices at a time.
std::int64_t shown(const ProjectionTable& table) {
  const std::int64_t each =
      std::max<std::int64_t>(1, table.side * table.side * static_cast<std::int64_t>(sizeof(float)));
  return std::min<std::int64_t>(static_cast<std::int64_t>(table.rows.size()),
                                std::max<std::int64_t>(1, kShownBytes / each));
}

VoxelSize voxel_of(const ProjectionTable& table) {
  const double side = table.pixel_size;
  if (!std::isfinite(side) || side <= 0.0) return {};
  return {side, side, side, "Å"};
}

std::vector<bool> unusable_rows(const ProjectionTable& table) {
  std::vector<bool> bad_stack(table.stacks.size(), false);
  for (const StackProblem& problem : table.stack_problems) bad_stack[problem.stack] = true;
  std::vector<bool> bad(table.rows.size());
  for (std::size_t i = 0; i < bad.size(); ++i) bad[i] = bad_stack[table.rows[i].stack];
  for (const UnusableRow& row : table.unusable) bad[static_cast<std::size_t>(row.row)] = true;
  return bad;
}

Result<SourceInfo> inspect_table(const Probe& probe) {
  if (!probe.dataset().empty()) {
    return Error{"is a table of projections and has no dataset " + probe.dataset(),
                 probe.path().string(), "leave the dataset out"};
  }
  const auto found = open_projections(probe.path().string(), {}, probe.context());
  if (!found) return found.error();
  const ProjectionTable& table = found->table;
  SourceInfo info;
  info.path = probe.path();
  info.format = table.format;
  info.size = {shown(table), table.side, table.side};
  info.dtype = "f32";
  info.voxel = voxel_of(table);
  std::error_code none;
  info.file_bytes = std::filesystem::file_size(probe.path(), none);
  return info;
}

// The images of rows from first_shown on; 0 where a row has none that can be read.
Result<Pixels<float>> images_of(const Projections& set, const std::string& path,
                                const JobContext& context) {
  const ProjectionTable& table = set.table;
  const auto rows_in_all = static_cast<std::int64_t>(table.rows.size());
  const std::int64_t from = set.first_shown;
  if (from < 0 || (from > 0 && from >= rows_in_all)) {
    return Error{"has " + std::to_string(rows_in_all) + " images, and those from number " +
                     std::to_string(from + 1) + " were asked for",
                 path, "choose a row of its table"};
  }
  const std::vector<bool> bad = unusable_rows(table);
  const std::int64_t count = std::min(shown(table), rows_in_all - from);
  const auto each = static_cast<std::size_t>(table.side * table.side);
  Pixels<float> pixels({count, table.side, table.side});
  constexpr std::int64_t kAtOnce = 64;
  for (std::int64_t first = 0; first < count;) {
    if (context.stop_requested()) return cancelled_error();
    context.report(static_cast<double>(first) / static_cast<double>(count), "images");
    // As many consecutive usable rows as can be read in one go.
    std::int64_t end = first;
    while (end < count && end < first + kAtOnce && !bad[static_cast<std::size_t>(from + end)]) {
      ++end;
    }
    if (end == first) {
      ++first;
      continue;
    }
    const auto rows = static_cast<std::size_t>(end - first);
    const Status read = set.images->read(
        std::span(table.rows).subspan(static_cast<std::size_t>(from + first), rows),
        std::span(pixels.values).subspan(static_cast<std::size_t>(first) * each, rows * each),
        context);
    if (!read) return read.error();
    first = end;
  }
  return pixels;
}

Result<Data> load_table(const SourceInfo& info, const SourceSelection& selection,
                        const JobContext& context) {
  auto found = open_projections(info.path.string(), {}, context.part(0.0, 0.2));
  if (!found) return found.error();
  const ProjectionTable& table = found->table;
  if (table.side < 1) {
    return Error{"says nowhere how large its images are, and no stack can be read",
                 info.path.string(), "put the stacks where the table says they are"};
  }
  const std::vector<bool> bad = unusable_rows(table);
  if (std::find(bad.begin(), bad.end(), false) == bad.end() && !table.stack_problems.empty()) {
    const StackProblem& first = table.stack_problems.front();
    return Error{"has no image that can be read: the stack " + table.stacks[first.stack].string() +
                     " " + first.why,
                 info.path.string(), "put the stacks where the table says they are"};
  }
  found->first_shown = selection.first_image;
  auto pixels = images_of(*found, info.path.string(), context.part(0.2, 1.0));
  if (!pixels) return pixels.error();
  Volume volume;
  volume.pixels = *std::move(pixels);
  volume.voxel = voxel_of(table);
  volume.name = info.path.stem().string();
  volume.projections = std::make_shared<const Projections>(*std::move(found));
  return Data(std::move(volume));
}

}  // namespace

Result<Volume> other_images(const Volume& set, std::int64_t first, const JobContext& context) {
  Projections others = *set.projections;
  others.first_shown = first;
  auto pixels = images_of(others, others.table.path.string(), context);
  if (!pixels) return pixels.error();
  Volume volume;
  volume.pixels = *std::move(pixels);
  volume.voxel = set.voxel;
  volume.origin = set.origin;
  volume.name = set.name;
  volume.projections = std::make_shared<const Projections>(std::move(others));
  return volume;
}

Format projection_format() {
  return {.id = "projections",
          .name = "STAR",
          .endings = {".star", ".xmd", ".cs"},
          .mime_types = {"application/x-relion-star"},
          .particles = false,
          .is_it = is_table,
          .inspect = inspect_table,
          .load = load_table,
          .slices = {},
          .exactly = {}};
}

}  // namespace aprscope
