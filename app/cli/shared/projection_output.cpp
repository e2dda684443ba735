#include "app/cli/shared/projection_output.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <memory>

#include "app/cli/shared/data_io.hpp"
#include "app/cli/shared/options.hpp"
#include "core/io/em/mrc_write.hpp"
#include "core/io/measurement_write.hpp"
#include "core/io/projections/projection_file.hpp"
#include "core/maps/shells.hpp"
#include "core/operations/project/half_map_files.hpp"
#include "core/pipeline/execution.hpp"
#include "core/projections/projections.hpp"

namespace aprscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::initializer_list<OutputKind> kMapOutputs{
    OutputKind::apr, OutputKind::tiff, OutputKind::png, OutputKind::csv, OutputKind::recipe};

// The path OUT.star for a stack OUT.mrcs.
fs::path table_beside(const std::string& stack) {
  return fs::path(stack).replace_extension(".star");
}

// The extension of a path in lower case.
std::string ending_of(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

}  // namespace

void ReconstructionFiles::add_to(CLI::App& command) {
  command.add_flag("--half-maps", half_maps,
                   "Write both half maps, too: OUT_half1 and OUT_half2, with OUT's ending");
  command.add_option("--fsc", fsc, "Write the correlation of the half maps as a table")
      ->type_name("FILE.csv");
}

std::vector<std::string> ReconstructionFiles::names(const std::string& output) const {
  std::vector<std::string> all;
  if (half_maps) {
    all = {half_map_path(output, 1).string(), half_map_path(output, 2).string()};
  }
  if (!fsc.empty()) all.push_back(fsc);
  return all;
}

Status check_beside(const ReconstructionFiles& files, const std::string& output,
                    const Operation& operation) {
  if (files.names(output).empty()) return {};
  const auto halves = operation.parameters.find("halves");
  if (halves != operation.parameters.end() &&
      halves->second == ParameterValue(std::string("none"))) {
    return Error{"has no half maps to write with --halves none", output,
                 "leave --halves at auto, or leave out --half-maps and --fsc"};
  }
  if (!files.half_maps || output_kind(output, kMapOutputs) == OutputKind::tiff) return {};
  return Error{"cannot have half maps beside it", output, "write a .mrc, .map or .tif"};
}

std::string stack_of_table(const std::string& path) {
  return ending_of(path) == ".star" ? fs::path(path).replace_extension(".mrcs").string() : path;
}

bool is_stack_name(const std::string& path) { return ending_of(path) == ".mrcs"; }

Status check_outputs(const std::string& output, bool with_table,
                     const std::vector<std::string>& others, const std::vector<std::string>& inputs,
                     const Session& session) {
  std::vector<std::string> files{output};
  if (with_table && is_stack_name(output)) files.push_back(table_beside(output).string());
  files.insert(files.end(), others.begin(), others.end());
  for (const std::string& file : files) {
    if (Status ok = check_output(file, inputs, session); !ok) return ok;
  }
  return {};
}

std::vector<std::string> stacks_of(const Dataset& data) {
  if (data.is_apr() || !data.volume().projections) return {};
  std::vector<std::string> files;
  for (const fs::path& stack : data.volume().projections->table.stacks) {
    files.push_back(stack.string());
  }
  return files;
}

std::vector<std::string> stacks_of_tables(const std::vector<std::string>& files,
                                          const Session& session) {
  std::vector<std::string> stacks;
  for (const std::string& file : files) {
    const std::string ending = ending_of(file);
    if (ending != ".star" && ending != ".xmd" && ending != ".cs") continue;
    const auto set = open_projections(file, {}, session.context());
    if (!set) continue;  // the error is reported when it is opened for its rows
    for (const fs::path& stack : set->table.stacks) stacks.push_back(stack.string());
  }
  return stacks;
}

Status save_reconstruction(const Dataset& made, const ReconstructionFiles& files,
                           const std::string& output, Session& session) {
  if (made.is_apr() || !made.volume().reconstruction) return {};
  const Volume& volume = made.volume();
  const Reconstruction& map = *volume.reconstruction;
  Json& report = session.report();
  report["images"] = map.images;
  report["left_out"] = map.left_out;
  report["thin_share"] = map.thin_share;
  if (const auto found = crossing(map.fsc, kGoldStandard, map.side, map.pixel_size)) {
    report["resolution"] = *found;
  }
  if (!map.noise.empty()) {
    Json groups = Json::array();
    for (const NoisePower& group : map.noise) {
      groups.push_back(
          {{"optics_group", group.group}, {"images", group.images}, {"power", group.power}});
    }
    report["noise_power"] = std::move(groups);
  }
  if (!map.notes.empty()) report["notes"] = map.notes;
  if (files.names(output).empty()) return {};
  if (map.half1.empty()) {
    return Error{"has no half maps to write", output, "leave --halves at auto, or choose rows"};
  }
  if (files.half_maps) {
    if (Status ok = write_half_maps(volume, output, session.context()); !ok) return ok;
  }
  if (files.fsc.empty()) return {};
  const auto curves = session.backend().measure({"fsc", {}}, made, session.context());
  if (!curves) return curves.error();
  const auto tables =
      table_files(std::array{std::make_shared<const Measurement>(*curves)}, files.fsc);
  return write_tables(tables);
}

Status save_projections(const Volume& images, const std::string& path, Session& session) {
  const Projections& set = *images.projections;
  const std::int64_t side = set.table.side;
  ProjectionTable table = set.table;
  // The stack only contains images that the table lists: none of a disabled row.
  std::erase_if(table.rows, [](const Projection& row) { return !row.enabled; });
  const std::vector<Projection> from = table.rows;
  const auto count = static_cast<std::int64_t>(from.size());
  if (count == 0) return Error{"cannot be written: no image is enabled", path, "enable some"};
  const auto fill = [&](std::int64_t first, std::span<float> out) {
    const auto rows = out.size() / static_cast<std::size_t>(side * side);
    return set.images->read(std::span(from).subspan(static_cast<std::size_t>(first), rows), out,
                            session.context());
  };
  if (Status ok = write_mrc_stack(path, side, count, table.pixel_size, fill, {}, session.context());
      !ok) {
    return ok;
  }
  std::int64_t image = 0;
  for (Projection& row : table.rows) {
    row.stack = 0;
    row.image = image++;
  }
  table.stacks = {fs::absolute(path)};
  return write_star(table_beside(path), table);
}

}  // namespace aprscope::cli
