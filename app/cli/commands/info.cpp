#include <algorithm>
#include <array>
#include <cmath>

#include "app/cli/shared/commands.hpp"
#include "app/cli/shared/data_io.hpp"
#include "core/io/apr/apr_summary.hpp"
#include "core/io/original_metadata.hpp"
#include "core/io/projections/projection_file.hpp"
#include "core/projections/aberrations.hpp"

namespace aprscope::cli {
namespace {

void describe_summary(const AprSummary& summary, const VoxelSize& voxel, Json& report) {
  report["size"] = to_json(summary.size);
  report["voxel_size"] = to_json(voxel);
  report["dtype"] = summary.dtype.empty() ? Json(nullptr) : Json(summary.dtype);
  Json levels = Json::object();
  const auto finest = summary.particles_per_level.size() - 1;
  auto coarsest = finest;
  for (std::size_t level = finest; level >= 1; --level) {
    levels[std::to_string(level)] = summary.particles_per_level[level];
    if (summary.particles_per_level[level] > 0) coarsest = level;
  }
  report["levels"] = {{"min", coarsest}, {"max", finest}};
  report["particles"] = summary.particles;
  report["particles_per_level"] = std::move(levels);
  report["cr"] = static_cast<double>(summary.size.count()) / static_cast<double>(summary.particles);
  report["bytes"] = summary.bytes;
  report["pixel_bytes"] = summary.pixel_bytes;
}

// At most this many unusable rows are listed; the others are only counted.
constexpr std::size_t kListed = 10;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// The number of rows in each half.
Json halves_of(const ProjectionTable& table) {
  std::array<std::int64_t, 3> rows{};
  for (const Projection& row : table.rows) ++rows[static_cast<std::size_t>(row.half)];
  return {{"1", rows[1]}, {"2", rows[2]}, {"none", rows[0]}};
}

// Adds the properties of an optics group other than its CTF.
void describe_aberrations(const OpticsGroup& group, Json& report) {
  const auto list = [](const auto& values) {
    Json out = Json::array();
    for (const double value : values) out.push_back(number_or_null(value));
    return out;
  };
  if (group.beam_tilt_x != 0.0 || group.beam_tilt_y != 0.0) {
    report["beam_tilt_mrad"] = list(std::array{group.beam_tilt_x, group.beam_tilt_y});
  }
  if (!group.odd_zernike.empty()) report["odd_zernike"] = list(group.odd_zernike);
  if (!group.even_zernike.empty()) report["even_zernike"] = list(group.even_zernike);
  if (magnification_of(group).any) report["magnification"] = list(group.magnification);
}

// Describes a table of projections. Checks that its images exist, without reading them.
Status info_of_projections(const InputOptions& input, Session& session) {
  const auto opened = open_projections(input.path, {}, session.context());
  if (!opened) return opened.error();
  const ProjectionTable& table = opened->table;
  Json& report = session.report();
  report["path"] = table.path.string();
  report["format"] = table.format;
  report["images"] = table.rows.size();
  report["enabled"] = std::count_if(table.rows.begin(), table.rows.end(),
                                    [](const Projection& row) { return row.enabled; });
  // null if no stack could be read; stack_problems says why.
  report["side"] = table.side > 0 ? Json(table.side) : Json(nullptr);
  report["pixel_size"] = number_or_null(table.pixel_size);
  report["halves"] = halves_of(table);
  report["ctf"] = table.has_ctf();
  report["stacks"] = table.stacks.size();
  auto groups = Json::array();
  for (const OpticsGroup& group : table.optics) {
    groups.push_back({{"name", group.name},
                      {"voltage_kv", number_or_null(group.voltage_kv)},
                      {"spherical_aberration_mm", number_or_null(group.spherical_aberration_mm)},
                      {"amplitude_contrast", number_or_null(group.amplitude_contrast)},
                      {"pixel_size", number_or_null(group.pixel_size)},
                      {"premultiplied", group.premultiplied}});
    describe_aberrations(group, groups.back());
  }
  report["optics_groups"] = std::move(groups);
  auto stacks = Json::array();
  for (const StackProblem& problem : table.stack_problems) {
    stacks.push_back(table.stacks[problem.stack].string() + " " + problem.why);
  }
  report["stack_problems"] = std::move(stacks);
  auto rows = Json::array();
  for (const UnusableRow& bad : table.unusable) {
    if (rows.size() == kListed) break;
    rows.push_back(bad.why);
  }
  report["unusable_count"] = table.unusable.size();
  report["unusable_images"] = std::move(rows);
  report["warnings"] = table.warnings;
  return {};
}

// What the file says of itself, as it stands there.
Status metadata_of(const InputOptions& input, Session& session) {
  const auto source = inspect_input(input, session.context());
  if (!source) return source.error();
  const auto parts = original_metadata(*source, session.context());
  if (!parts) return parts.error();
  Json& report = session.report();
  report["path"] = source->path.string();
  report["format"] = source->format;
  auto list = Json::array();
  for (const MetadataPart& part : *parts) {
    list.push_back({{"title", part.title}, {"text", part.text}, {"cut", part.cut}});
  }
  report["metadata"] = std::move(list);
  return {};
}

Status info(const InputOptions& input, Session& session) {
  if (is_projection_table(input.path)) return info_of_projections(input, session);
  const auto source = inspect_input(input, session.context());
  if (!source) return source.error();
  Json& report = session.report();
  report["path"] = source->path.string();
  report["format"] = source->format;
  if (source->is_apr) {
    const auto summary = summarize_apr(*source, {input.channel, input.time});
    if (!summary) return summary.error();
    if (*summary) {
      describe_summary(**summary, chosen_voxel_size(input, (*summary)->voxel), report);
    } else {
      // In the older layout the levels are only known after reading the structure.
      const auto data = load_input(input, session);
      if (!data) return data.error();
      describe_data(*data, report);
    }
    report["fields"] = source->fields;
  } else {
    report["size"] = to_json(source->size);
    report["voxel_size"] = to_json(source->voxel);
    report["dtype"] = source->dtype;
    std::uint64_t sample = 1;
    if (source->dtype.size() > 1) {
      sample = static_cast<std::uint64_t>(std::max(1, std::atoi(source->dtype.c_str() + 1) / 8));
    }
    report["bytes"] = static_cast<std::uint64_t>(source->size.count()) * sample;
  }
  report["file_bytes"] = source->file_bytes;
  report["channels"] = source->channels;
  report["times"] = source->times;
  if (source->times > 1 && source->seconds) report["time_step_s"] = *source->seconds;
  if (!source->datasets.empty()) {
    report["dataset"] = source->dataset;
    report["datasets"] = source->datasets;
  }
  return {};
}

}  // namespace

void add_info(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("info", "Say what a file holds");
  auto input = std::make_shared<InputOptions>();
  input->add_to(*command, "FILE");
  auto metadata = std::make_shared<bool>(false);
  command->add_flag("--metadata", *metadata,
                    "Print what the file says of itself, as its writer put it there: OME-XML, "
                    "descriptions of ImageJ, attributes of HDF5, metadata of Zarr");
  command->callback([input, metadata, &chosen] {
    chosen.run = [input, metadata](Session& session) {
      return *metadata ? metadata_of(*input, session) : info(*input, session);
    };
  });
}

}  // namespace aprscope::cli
