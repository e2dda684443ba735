#include "app/cli/commands.hpp"
#include "app/cli/data_io.hpp"
#include "core/io/apr_summary.hpp"

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

Status info(const InputOptions& input, Session& session) {
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
      // In the older layout levels are known only once the structure has been read.
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
  command->callback([input, &chosen] {
    chosen.run = [input](Session& session) { return info(*input, session); };
  });
}

}  // namespace aprscope::cli
