#include "app/cli/commands/cell_run.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>

#include "app/cli/commands/cell_report.hpp"
#include "core/cells/carried_labels.hpp"
#include "core/cells/followed_labels.hpp"
#include "core/operations/measure/background_note.hpp"
#include "core/operations/measure/wall_tables.hpp"
#include "core/operations/schema/file_list.hpp"
#include "core/operations/segment/point_table.hpp"
#include "core/pipeline/recipe.hpp"

namespace aprscope::cli {
namespace {

// The tables that were asked for and the files to write them to: first that of cells, then the
// others.
std::vector<TableFile> files_for(const CellsOptions& options, const Measurement& found) {
  const std::filesystem::path csv = options.csv;
  std::vector<TableFile> files{{csv, found.tables.front()}};
  for (const Table& table : found.tables) {
    const bool asked =
        (table.id == "slices" && options.slices) || (table.id == "contacts" && options.contacts);
    if (!asked) continue;
    std::filesystem::path beside = csv;
    beside.replace_filename(csv.stem().string() + "-" + table.id + csv.extension().string());
    files.push_back({beside, table});
  }
  return files;
}

// Objects with a smaller overlap (relative to their union) are not the same over time.
constexpr double kLeastOverlap = 0.1;

Result<std::shared_ptr<const Dataset>> with_followed(const Dataset& found, FollowedCells& follow,
                                                     const JobContext& context) {
  auto pixels = found.is_apr() ? pixel_labels(*found.apr().access, *found.labels(), context)
                               : Result<Labels>(*found.labels());
  if (!pixels) return pixels.error();
  // Before the first time point there are no cells.
  Labels nothing;
  if (!follow.before) nothing.values.resize(pixels->values.size());
  const auto numbers = follow_labels(follow.before ? *follow.before : nothing, *pixels,
                                     kLeastOverlap, follow.last, context);
  if (!numbers) return numbers.error();
  for (const std::uint32_t number : numbers->numbers) follow.last = std::max(follow.last, number);
  follow.kept = numbers->kept;
  follow.earlier = numbers->earlier;
  follow.before = std::make_shared<const Labels>(renamed(*std::move(pixels), *numbers));
  auto labels = found.is_apr() ? std::make_shared<const Labels>(renamed(*found.labels(), *numbers))
                               : follow.before;
  return found.with_labels(std::move(labels));
}

// Runs all steps. Before the last one, which measures, cells get the numbers of the previous time.
Result<Execution> followed(const std::vector<Operation>& steps,
                           const std::shared_ptr<const Dataset>& data, FollowedCells& follow,
                           Session& session) {
  auto run = execute({steps.begin(), steps.end() - 1}, data, session.backend(), session.context());
  if (!run) return run;
  // If the file should contain labels but has none, the measurement below refuses that.
  auto labelled = Result<std::shared_ptr<const Dataset>>(run->data);
  if (run->data->labels()) labelled = with_followed(*run->data, follow, session.context());
  if (!labelled) return labelled.error();
  auto measured = execute({steps.back()}, *labelled, session.backend(), session.context());
  if (!measured) return measured;
  for (StepMeasurement& one : measured->measured) one.step += run->steps.size();
  measured->costs.insert(measured->costs.begin(), run->costs.begin(), run->costs.end());
  measured->steps.insert(measured->steps.begin(), run->steps.begin(), run->steps.end());
  return measured;
}

// The time point of a file of labels that belongs to an image's: the same, if it has several.
Result<int> time_in(const std::string& labels, int time, const Size3& size,
                    const JobContext& context) {
  if (time == 0) return 0;
  const auto info = inspect(labels, context);
  if (!info) return info.error();
  // A stack of several slices may look like time points, so its size has to match the image.
  if (info->times == 1 || info->size != size) return 0;
  if (time < info->times) return time;
  return Error{"has " + std::to_string(info->times) +
                   " time points, counted from 0, and none for time point " + std::to_string(time) +
                   " of the image",
               labels, "name labels of all its time points, or of one"};
}

Status take_time(const CellsOptions& options, int time, const Size3& size,
                 std::vector<Operation>& find, const JobContext& context) {
  if (!options.find.labels_file().empty()) {
    const auto its = time_in(options.find.labels_file(), time, size, context);
    if (!its) return its.error();
    find.front().parameters["time"] = std::int64_t{*its};
  }
  for (const Operation& step : find) {
    const auto seeds = step.parameters.find("seed_file");
    if (seeds == step.parameters.end()) continue;
    const auto& file = std::get<std::string>(seeds->second);
    if (file.empty() || is_point_table(file)) continue;
    const auto its = time_in(file, time, size, context);
    if (!its) return its.error();
    if (*its == 0) continue;
    return Error{"has seeds of several time points, and only those of the first can be taken", file,
                 "name a file with those of this time point"};
  }
  return {};
}

}  // namespace

Result<std::vector<Operation>> cell_operations(const CellsOptions& options,
                                               const InputOptions& input, bool is_apr,
                                               const Size3& size, const VoxelSize& voxel,
                                               const JobContext& context) {
  std::vector<Operation> steps;
  if (is_apr && options.as_pixels) steps.push_back({"reconstruct", {}});
  std::vector<Operation> find = options.find.steps(voxel, size.z == 1);
  if (Status ok = take_time(options, input.time, size, find, context); !ok) return ok.error();
  steps.insert(steps.end(), find.begin(), find.end());
  Operation measure{"cells", {{"per_slice", options.slices}}};
  std::vector<std::string> files = options.channels;
  if (options.all_channels) files.insert(files.begin(), kInputFile);
  if (options.walls) {
    measure.parameters["walls"] = true;
    measure.parameters["dark_walls"] = options.dark_walls || has_dark_walls(find);
  }
  if (!files.empty()) {
    measure.parameters["channels"] = list_of_files(files);
    measure.parameters["time"] = std::int64_t{input.time};
  }
  steps.push_back(std::move(measure));
  return steps;
}

Result<MeasuredCells> find_cells(const CellsOptions& options, const InputOptions& input,
                                 Session& session, FollowedCells* follow) {
  auto loaded = load_input(input, session);
  if (!loaded) return loaded.error();
  const auto data = Dataset::create(*std::move(loaded));
  if (!options.output.empty() && options.inputs.size() == 1 && options.times.empty() &&
      output_kind(options.output, kCellsOutputs) == OutputKind::apr &&
      (!data->is_apr() || options.as_pixels)) {
    return no_particles_error(options.output);  // before a long computation
  }
  if (!options.check.empty() && !data->is_apr()) {
    return Error{"is pixels, which are not checked against others", input.path,
                 "give particles (.apr), or leave --check out"};
  }
  auto all = cell_operations(options, input, data->is_apr(), data->size(), data->voxel(),
                             session.context());
  if (!all) return all.error();
  const std::vector<Operation> steps = steps_for(*std::move(all), input.path);
  auto done = session.timed("compute", [&] {
    return follow == nullptr ? execute(steps, data, session.backend(), session.context())
                             : followed(steps, data, *follow, session);
  });
  if (!done) return done.error();
  MeasuredCells found{*std::move(done), {}, {}};
  const Measurement& measured = *found.run.measured.back().found;
  if (!options.csv.empty()) found.tables = files_for(options, measured);
  found.row = cells_json(measured);
  const Dataset& labelled = *found.run.data;
  const double share = background_share_of(labelled, *labelled.labels());
  if (share > 0.0) found.row["background_share"] = share;
  return found;
}

std::vector<std::string> files_for_cells(const CellsOptions& options) {
  std::vector<std::string> files = options.inputs;
  files.insert(files.end(), options.channels.begin(), options.channels.end());
  for (const Operation& step : options.steps) {
    for (std::string& file : files_of(step)) files.push_back(std::move(file));
  }
  if (!options.truth.empty()) files.push_back(options.truth);
  if (!options.check.empty()) files.push_back(options.check);
  return files;
}

Status write_cell_tables(const CellsOptions& options, const std::vector<TableFile>& files,
                         Session& session) {
  const std::vector<std::string> inputs = files_for_cells(options);
  for (const TableFile& file : files) {
    if (Status ok = check_output(file.path, inputs, session); !ok) return ok;
  }
  if (Status ok = session.timed("write", [&] { return write_tables(files); }); !ok) return ok;
  auto names = Json::array();
  for (const TableFile& file : files) names.push_back(file.path.string());
  session.report()["csv"] = names.size() == 1 ? names.front() : names;
  return {};
}

}  // namespace aprscope::cli
