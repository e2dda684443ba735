#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/cli/shared/session.hpp"
#include "core/data/measurement.hpp"
#include "core/dataset/dataset.hpp"
#include "core/io/image_source.hpp"
#include "core/pipeline/recipe.hpp"

namespace aprscope::cli {

/// Where the input of a command comes from.
struct InputOptions {
  std::string path;
  int channel = 0;
  int time = 0;
  /// "z,x,y", overrides what the file says; empty = not given.
  std::string voxel_size;

  /// Adds IN (or `name`), --channel and --time.
  void add_to(CLI::App& command, const std::string& name = "IN", bool required = true);
  /// Adds --channel and --time only.
  void add_series_to(CLI::App& command);
  void add_voxel_size(CLI::App& command);
};

/// What the input holds. Errors: of inspect(), a channel or time that it lacks.
Result<SourceInfo> inspect_input(const InputOptions& input, const JobContext& context);

/// Opens and reads the input; seconds.read.
Result<Data> load_input(const InputOptions& input, Session& session);

/// The voxel size that was asked for, else the file's.
VoxelSize chosen_voxel_size(const InputOptions& input, const VoxelSize& of_file);

/// What an output is, by its extension. `tiff` is any image of pixels: TIFF, or MRC by its name.
enum class OutputKind { apr, tiff, png, csv, recipe };

/// Wrong usage for an extension that is not among `allowed`.
OutputKind output_kind(const std::string& path, std::initializer_list<OutputKind> allowed);

/// Adds -o/--output; required.
void add_output(CLI::App& command, std::string& path, const std::string& what,
                bool required = true);

/// Finds out before a long computation that an output cannot be written (its folder is missing or
/// not writable), or would replace one of the files that it is made from, which wants --force.
/// Inputs are as inspect() takes them; empty ones count for nothing.
Status check_output(const std::filesystem::path& output, const std::vector<std::string>& inputs,
                    const Session& session);
/// The file of a specification "file:NAME,…" or "beads:NAME,…"; empty for others.
std::string file_of_spec(const std::string& spec);

/// The error of an image that was to become an .apr.
Error no_particles_error(const std::string& path);

/// Writes a recipe of one operation. Errors: of save_recipe(), options that a recipe cannot hold.
Status save_step(const InputOptions& input, const Operation& operation, const std::string& path,
                 Session& session);

/// Writes data: an APR as .apr, or as the constant reconstruction in a TIFF; an image as TIFF; both
/// as PNG of the middle slice. seconds.write; "output" in the report.
Status save_output(const Data& data, const std::string& path, Session& session,
                   bool with_tree = false);

/// Adds "output" and "file_bytes" of a file that was written.
void describe_output(const std::string& path, Session& session);

/// Writes labels as .tif; seconds.write; "output" in the report. Errors: there are none.
Status save_labels(const Dataset& data, const std::string& path, Session& session);
/// Writes what came of these steps: save_output(), but where they end in labels and the output is a
/// TIFF the labels, see ends_in_labels().
Status save_result(const Dataset& data, const std::vector<Operation>& steps,
                   const std::string& path, Session& session);

using Measured = std::vector<std::shared_ptr<const Measurement>>;

/// Writes what was measured as .csv, a file each where there are several curves and tables;
/// seconds.write; "output" in the report, a list where there are several. Errors: a file would
/// replace one of `inputs`, see check_output().
Status save_measured(const Measured& measured, const std::string& path,
                     const std::vector<std::string>& inputs, Session& session);

/// Adds "measured": a list of all that was measured, see to_json() in measurement_write.hpp.
void describe_measured(const Measured& measured, Json& report);

/// Adds --tree: .apr files get the tree and its means too.
void add_tree_option(CLI::App& command, bool& with_tree);

/// Adds size, voxel_size, dtype, levels, particles, cr, bytes, fields, channels, times.
void describe_data(const Data& data, Json& report);
/// {z, x, y}.
Json to_json(const Size3& size);
Json to_json(const VoxelSize& voxel);

}  // namespace aprscope::cli
