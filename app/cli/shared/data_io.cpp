#include "app/cli/shared/data_io.hpp"

#include <algorithm>
#include <climits>
#include <cmath>

#include "app/cli/shared/options.hpp"
#include "app/cli/shared/projection_output.hpp"
#include "core/apr/convert/report.hpp"
#include "core/base/temporary.hpp"
#include "core/image/colormap.hpp"
#include "core/image/histogram.hpp"
#include "core/io/common/same_file.hpp"
#include "core/io/em/mrc_write.hpp"
#include "core/io/formats.hpp"
#include "core/io/measurement_write.hpp"
#include "core/io/write.hpp"
#include "core/io/zarr/zarr_write.hpp"
#include "core/operations/engine/label_write.hpp"
#include "core/pipeline/file_execution.hpp"

namespace aprscope::cli {
namespace {

Status save_slice_png(const Data& data, const std::string& path) {
  const auto dataset = Dataset::create(data);
  const Plane plane =
      dataset->slice(ReconstructionMode::constant, Axis::z, (dataset->size().z - 1) / 2);
  const Contrast contrast = automatic_contrast(histogram(plane.values));
  return write_png(apply_colormap(plane.values, contrast, colormap("grey"), {0, 0, 0, 255}),
                   static_cast<int>(plane.cols), static_cast<int>(plane.rows), path);
}

// Saves an image; an APR as its constant reconstruction.
Status save_image(const Data& data, const std::string& path, Session& session) {
  if (const auto* volume = std::get_if<Volume>(&data)) {
    if (volume->projections && is_stack_name(path)) {
      return save_projections(*volume, path, session);
    }
    if (is_zarr_name(path)) {
      return write_ome_zarr(*volume, path, session.options().ome_zarr, session.context());
    }
    return write_image(*volume, path, session.context(), session.options().tiff_packing);
  }
  // OME-Zarr of particles stores their levels as its pyramid.
  if (is_zarr_name(path)) {
    return write_ome_zarr(std::get<Apr>(data), path, session.options().ome_zarr, session.context());
  }
  const auto image =
      execute({{"reconstruct", {}}}, Dataset::create(data), session.backend(), session.context());
  if (!image) return image.error();
  return write_image(image->data->volume(), path, session.context(),
                     session.options().tiff_packing);
}

// Whether the input is read from this file as well: part of a set, metadata, or pixels.
bool is_read_with(const std::string& input, const std::filesystem::path& file,
                  const Session& session) {
  const auto info = inspect(input, session.context());
  // An input that cannot be inspected is reported when it is opened.
  return info && std::any_of(info->further.begin(), info->further.end(), [&](const auto& further) {
           return is_same_file(file, further.string());
         });
}

}  // namespace

void InputOptions::add_to(CLI::App& command, const std::string& name, bool required) {
  auto* in = command.add_option(
      name, path, format_names() + " file; FILE.h5:/path picks a volume of an HDF5 file");
  if (required) in->required();
  add_series_to(command);
}

void InputOptions::add_series_to(CLI::App& command) {
  const auto number = [&](const std::string& option, int& value, const std::string& help) {
    command.add_option(option, value, help)->check(CLI::Range(0, INT_MAX))->type_name("N");
  };
  number("--channel", channel, "Channel to read, from 0");
  number("--time", time, "Time point to read, from 0");
}

void InputOptions::add_voxel_size(CLI::App& command) {
  const auto check = [](const std::string& text) {
    try {
      (void)voxel_steps_from("--voxel-size", text);
    } catch (const CLI::ValidationError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  command
      .add_option("--voxel-size", voxel_size,
                  "Voxel size instead of the file's, in its unit (µm where it has none)")
      ->check(check)
      ->type_name("Z,X,Y");
}

Result<SourceInfo> inspect_input(const InputOptions& input, const JobContext& context) {
  auto info = inspect(input.path, context);
  if (!info) return info;
  const auto missing = [&](const std::string& what, int asked, int count) {
    return Error{"has no " + what + " " + std::to_string(asked), input.path,
                 count == 1 ? "use 0, the only one" : "use 0 to " + std::to_string(count - 1)};
  };
  const auto channels = static_cast<int>(info->channels.size());
  if (input.channel >= channels) return missing("channel", input.channel, channels);
  if (input.time >= info->times) return missing("time point", input.time, info->times);
  return info;
}

VoxelSize chosen_voxel_size(const InputOptions& input, const VoxelSize& of_file) {
  VoxelSize voxel = of_file;
  if (input.voxel_size.empty()) return voxel;
  const auto v = numbers_from("--voxel-size", input.voxel_size, 3);
  voxel.z = v[0];
  voxel.x = v[1];
  voxel.y = v[2];
  if (voxel.unit == "px") voxel.unit = "µm";
  return voxel;
}

Result<Data> load_input(const InputOptions& input, Session& session, std::uint64_t memory) {
  return session.timed("read", [&]() -> Result<Data> {
    const auto info = inspect_input(input, session.context());
    if (!info) return info.error();
    const SourceSelection selection{input.channel, input.time};
    if (Status fits = check_load(*info, selection, memory); !fits) return fits.error();
    auto data = load(*info, selection, session.context());
    if (!data) return data;
    VoxelSize& voxel = std::holds_alternative<Apr>(*data) ? std::get<Apr>(*data).voxel
                                                          : std::get<Volume>(*data).voxel;
    // Projections are in Å even if their table gives no pixel size, i.e. the unit is "px".
    const auto* volume = std::get_if<Volume>(&*data);
    const bool angstrom = volume != nullptr && volume->projections && voxel.unit == "px";
    voxel = chosen_voxel_size(input, voxel);
    if (angstrom && !input.voxel_size.empty()) voxel.unit = "Å";
    return data;
  });
}

namespace {

std::string lower_extension(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

}  // namespace

bool has_apr_ending(const std::string& path) { return lower_extension(path) == ".apr"; }

OutputKind output_kind(const std::string& path, std::initializer_list<OutputKind> allowed) {
  const auto name = [](OutputKind kind) {
    switch (kind) {
      case OutputKind::apr:
        return ".apr";
      case OutputKind::tiff:
        return ".tif";
      case OutputKind::png:
        return ".png";
      case OutputKind::csv:
        return ".csv";
      case OutputKind::recipe:
        return ".json";
    }
    return "";
  };
  std::string extension = lower_extension(path);
  if (extension == ".tiff" || is_mrc_name(path) || is_zarr_name(path)) extension = ".tif";
  std::string known;
  for (const OutputKind kind : allowed) {
    if (extension == name(kind)) return kind;
    known += (known.empty() ? "" : ", ") + std::string(name(kind));
    if (kind == OutputKind::tiff) known += ", .mrc, .map, .zarr";
  }
  wrong_usage("--output", path + " does not end in " + known);
}

void add_output(CLI::App& command, std::string& path, const std::string& what, bool required) {
  auto* option = command.add_option("-o,--output", path, what)->type_name("OUT");
  if (required) option->required();
}

Status check_output(const std::filesystem::path& output, const std::vector<std::string>& inputs,
                    const Session& session) {
  // Only the first process writes; the folder may not exist on other hosts.
  if (session.is_helper()) return {};
  const bool folder = is_zarr_name(output);
  // Whether this folder may be replaced is checked when it is written.
  const auto file = folder ? Result<std::filesystem::path>(output) : resolve_target(output);
  if (!file) return file.error();
  if (session.options().force) return {};
  // Only an existing output can be part of an input.
  std::error_code code;
  const bool exists = std::filesystem::exists(*file, code);
  for (const std::string& input : inputs) {
    // For a folder, the input may also lie inside of it.
    const bool within = folder && is_same_file(input, output.string());
    if (!within && !is_same_file(*file, input) &&
        !(exists && is_read_with(input, *file, session))) {
      continue;
    }
    return Error{"would be replaced by what is made from it", output.string(),
                 "choose another name, or give --force"};
  }
  return {};
}

std::string file_of_spec(const std::string& spec) {
  for (const std::string_view kind : {"file:", "beads:"}) {
    if (spec.compare(0, kind.size(), kind) != 0) continue;
    return spec.substr(kind.size(), spec.find(',') - kind.size());
  }
  return {};
}

Error no_particles_error(const std::string& path) {
  return {"the result is a pixel image, not particles", path,
          "write a .tif, or convert the image first"};
}

Status save_step(const InputOptions& input, const Operation& operation, const std::string& path,
                 Session& session) {
  if (!input.voxel_size.empty()) {
    return Error{"a recipe cannot hold a voxel size", "--voxel-size",
                 "leave it out, or write the result instead of a recipe"};
  }
  session.report()["output"] = path;
  return save_recipe({input.path, input.channel, input.time, {operation}}, path);
}

void add_file_options(CLI::App& command, AprWriteOptions& file) {
  command.add_flag(
      "--tree,!--no-tree", [&file](std::int64_t given) { file.with_tree = given > 0; },
      "Write the tree and its means into an .apr, too, for overviews of files larger than memory "
      "and for other programs; without either flag, if the image has more than 2^27 pixels");
  command
      .add_option_function<std::string>(
          "--packing",
          [&file](const std::string& packing) { file.for_looking = packing == "quick"; },
          "How an .apr is packed: small, or a fifth to a third larger and quick to look at in "
          "parts; "
          "without it, quick if the image has more than 2^27 pixels")
      ->check(CLI::IsMember({"small", "quick"}));
}

void describe_output(const std::string& path, Session& session) {
  session.report()["output"] = path;
  std::error_code code;
  const auto bytes = std::filesystem::file_size(path, code);
  if (!code) session.report()["file_bytes"] = static_cast<std::uint64_t>(bytes);
}

Status save_output(const Data& data, const std::string& path, Session& session,
                   const AprWriteOptions& file) {
  const OutputKind kind = output_kind(path, {OutputKind::apr, OutputKind::tiff, OutputKind::png});
  Status saved = session.timed("write", [&]() -> Status {
    if (kind == OutputKind::png) return save_slice_png(data, path);
    if (kind == OutputKind::apr) {
      const auto* apr = std::get_if<Apr>(&data);
      if (apr != nullptr) return write_apr(*apr, path, file, session.context());
      return no_particles_error(path);
    }
    return save_image(data, path, session);
  });
  if (!saved) return saved;
  describe_output(path, session);
  return {};
}

Status save_labels(const Dataset& data, const std::string& path, Session& session) {
  Status saved =
      session.timed("write", [&] { return write_labels_of(data, path, session.context()); });
  if (saved) describe_output(path, session);
  return saved;
}

Status save_result(const Dataset& data, const std::vector<Operation>& steps,
                   const std::string& path, Session& session) {
  const bool tiff =
      output_kind(path, {OutputKind::apr, OutputKind::tiff, OutputKind::png}) == OutputKind::tiff;
  return tiff && ends_in_labels(steps) ? save_labels(data, path, session)
                                       : save_output(data.data(), path, session);
}

Status save_measured(const Measured& measured, const std::string& path,
                     const std::vector<std::string>& inputs, Session& session) {
  const std::vector<TableFile> files = table_files(measured, path);
  for (const TableFile& file : files) {
    if (Status ok = check_output(file.path, inputs, session); !ok) return ok;
  }
  if (Status ok = session.timed("write", [&] { return write_tables(files); }); !ok) return ok;
  auto names = Json::array();
  for (const TableFile& file : files) names.push_back(file.path.string());
  session.report()["output"] = names.size() == 1 ? names.front() : names;
  return {};
}

void describe_measured(const Measured& measured, Json& report) {
  auto list = Json::array();
  for (const auto& one : measured) list.push_back(Json::parse(to_json(*one)));
  report["measured"] = std::move(list);
}

Json to_json(const Size3& size) { return {{"z", size.z}, {"x", size.x}, {"y", size.y}}; }

Json to_json(const VoxelSize& voxel) {
  return {{"z", voxel.z}, {"x", voxel.x}, {"y", voxel.y}, {"unit", voxel.unit}};
}

void describe_data(const Data& data, Json& report) {
  const auto labels = [&](const std::string& channel) {
    report["channels"] = Json::array({channel.empty() ? "0" : channel});
    report["times"] = 1;
  };
  if (const auto* volume = std::get_if<Volume>(&data)) {
    report["size"] = to_json(volume->size());
    report["voxel_size"] = to_json(volume->voxel);
    report["dtype"] = volume->dtype();
    report["bytes"] = volume->bytes();
    labels(volume->channel);
    return;
  }
  const Apr& apr = std::get<Apr>(data);
  const AprReport facts = aprscope::report(apr);
  const auto field = apr.main_field();
  report["size"] = to_json(apr.access->size());
  report["voxel_size"] = to_json(apr.voxel);
  report["dtype"] = field ? Json(field->dtype()) : Json(nullptr);
  report["levels"] = {{"min", apr.access->level_min_used()}, {"max", apr.access->level_max()}};
  report["particles"] = facts.particles;
  Json levels = Json::object();
  for (std::size_t level = 1; level < facts.particles_per_level.size(); ++level) {
    levels[std::to_string(level)] = facts.particles_per_level[level];
  }
  report["particles_per_level"] = std::move(levels);
  report["cr"] = facts.computational_ratio;
  report["bytes"] = facts.bytes_apr;
  report["pixel_bytes"] = facts.bytes_pixels;
  report["fields"] = Json::array();
  for (const auto& f : apr.fields) report["fields"].push_back(f->name);
  labels(apr.channel);
}

}  // namespace aprscope::cli
