#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/cli/shared/session.hpp"
#include "core/data/measurement.hpp"
#include "core/dataset/dataset.hpp"
#include "core/io/apr/apr_write.hpp"
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

/// Inspects the input. Errors: those of inspect(), a channel or time point that it does not have.
Result<SourceInfo> inspect_input(const InputOptions& input, const JobContext& context);

/// Opens and reads the input; adds the time to seconds.read. `memory`: see check_load().
Result<Data> load_input(const InputOptions& input, Session& session, std::uint64_t memory = 0);

/// The voxel size that the user gave, else that of the file.
VoxelSize chosen_voxel_size(const InputOptions& input, const VoxelSize& of_file);

/// The kind of an output, from its extension. `tiff` is any image of pixels: TIFF, or MRC by name.
enum class OutputKind { apr, tiff, png, csv, recipe };

/// Whether a name ends as that of an .apr does.
bool has_apr_ending(const std::string& path);

/// Wrong usage for an extension that is not among `allowed`.
OutputKind output_kind(const std::string& path, std::initializer_list<OutputKind> allowed);

/// Adds -o/--output; required.
void add_output(CLI::App& command, std::string& path, const std::string& what,
                bool required = true);

/// Checks before a long computation whether an output can be written: its folder must exist and be
/// writable, and it must not replace a file that it is made from, unless --force is given. Inputs
/// are given as for inspect(); empty ones are ignored.
Status check_output(const std::filesystem::path& output, const std::vector<std::string>& inputs,
                    const Session& session);
/// The file of a specification "file:NAME,…" or "beads:NAME,…"; empty for others.
std::string file_of_spec(const std::string& spec);

/// The error for an image that should be saved as .apr.
Error no_particles_error(const std::string& path);

/// Writes a recipe of one operation. Errors: those of save_recipe(), options that no recipe has.
Status save_step(const InputOptions& input, const Operation& operation, const std::string& path,
                 Session& session);

/// Writes data: an APR as .apr, or as its constant reconstruction in a TIFF; an image as TIFF;
/// either as PNG of the middle slice. Adds the time to seconds.write, and "output" to the report.
Status save_output(const Data& data, const std::string& path, Session& session,
                   const AprWriteOptions& file = {});

/// Adds "output" and "file_bytes" of a written file to the report.
void describe_output(const std::string& path, Session& session);

/// Writes labels as .tif; adds seconds.write, and "output" to the report. Errors: no labels.
Status save_labels(const Dataset& data, const std::string& path, Session& session);
/// Writes the result of these steps as save_output() does. If they end in labels and the output is
/// a TIFF, writes the labels, see ends_in_labels().
Status save_result(const Dataset& data, const std::vector<Operation>& steps,
                   const std::string& path, Session& session);

using Measured = std::vector<std::shared_ptr<const Measurement>>;

/// Writes a measurement as .csv, with a file for each if there are several curves and tables. Adds
/// seconds.write, and "output" to the report (a list if there are several files). Errors: a file
/// would replace one of `inputs`, see check_output().
Status save_measured(const Measured& measured, const std::string& path,
                     const std::vector<std::string>& inputs, Session& session);

/// Adds "measured": a list of all measurements, see to_json() in measurement_write.hpp.
void describe_measured(const Measured& measured, Json& report);

/// Adds --tree and --no-tree, whether .apr files hold the tree and its means, and --packing, see
/// AprWriteOptions.
void add_file_options(CLI::App& command, AprWriteOptions& file);

/// Adds size, voxel_size, dtype, levels, particles, cr, bytes, fields, channels, times.
void describe_data(const Data& data, Json& report);
/// {z, x, y}.
Json to_json(const Size3& size);
Json to_json(const VoxelSize& voxel);

}  // namespace aprscope::cli
