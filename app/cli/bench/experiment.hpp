#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/bench/bench.hpp"
#include "core/apr/structure/apr.hpp"
#include "core/deconvolution/blur/blur_model.hpp"

namespace aprscope::cli {

/// The experiments of the papers, rebuilt with a known truth.
struct ExperimentOptions {
  /// Names of experiments: "cylinders", "microtubules".
  std::vector<std::string> names;
  std::uint64_t seed = 1;
  /// The number of iterations; 0: as many as the experiment is made for (100).
  int iterations = 0;
  /// Iterations of the error curve; 0: no curve.
  int curve = 500;
  /// Names of methods; empty: all.
  std::vector<std::string> methods;
  std::string page;
};
const std::vector<std::string>& experiment_names();
/// The names of all methods of the experiments.
const std::vector<std::string>& experiment_methods();
/// True if the options name this method, or if they name no methods.
bool wants(const ExperimentOptions& options, const std::string& method);

/// Runs the experiments; fills the report, and writes the page if one was asked for.
Status bench_experiments(const ExperimentOptions& options, Session& session);

/// How well an image agrees with the truth. Deconvolution leaves the unit of brightness open, so an
/// image is first scaled by the factor that fits best (scale), or scaled and shifted (affine).
struct Scores {
  double psnr_scale = 0.0;
  double ssim_scale = 0.0;
  double psnr_affine = 0.0;
  double ssim_affine = 0.0;
};
Result<Scores> score(const Pixels<float>& truth, const Pixels<float>& image,
                     const JobContext& context);
/// √(mean square difference) ÷ range of the truth, after scaling the image by its best factor.
double relative_error(const Pixels<float>& truth, const Pixels<float>& image);

/// A method to compare: values with a model of their blur, and how values become an image.
struct Method {
  std::string name;
  std::string psf;
  double coverage = 1.0;
  double ratio = 1.0;  // pixels ÷ values
  std::vector<float> observed;
  /// The size of the structure that the values belong to; 0 for pixels.
  std::uint64_t structure_bytes = 0;
  std::function<Result<std::unique_ptr<BlurModel>>()> blur;
  std::function<Result<Pixels<float>>(std::span<const float>)> image;
};

struct MethodRun {
  std::vector<float> values;
  double seconds = 0.0;  // median of an iteration
  double setup_seconds = 0.0;
  std::uint64_t model_bytes = 0;
  /// Peak memory of the iterations (image, estimate, buffers, blur), and of setting up the blur.
  std::uint64_t bytes = 0;
  std::uint64_t setup_bytes = 0;
  std::string description;
};
/// Runs Richardson–Lucy on the image, without regularisation. `observer`, if given, is called with
/// each iterate; then seconds and bytes are not valid.
using IterationObserver = std::function<void(int iteration, std::span<const float> values)>;
Result<MethodRun> run_method(const Method& method, int iterations, Session& session,
                             const IterationObserver& observer = {});

/// Runs a method if the options want it, and adds its line to the table of `experiment`.
Status add_method(const std::string& experiment, const Method& method, const Pixels<float>& truth,
                  const ExperimentOptions& options, Session& session, Json& out);
/// The table's line for the image before deconvolution.
Json input_row(const std::string& experiment, const std::string& name, const Scores& scores,
               double ratio);

/// The APR of an image at the bound E (from 0.01) whose computational ratio comes nearest; `used`
/// receives E.
Result<Apr> convert_to_ratio(const Volume& volume, double ratio, double& used, Session& session);
/// The values of particles as f32 / a function that makes images of such values.
std::vector<float> field_values(const Apr& apr);
std::function<Result<Pixels<float>>(std::span<const float>)> reconstructor(const Apr& apr,
                                                                           Session& session);

Status cylinders_experiment(const ExperimentOptions& options, Session& session, Json& out);
Status microtubules_experiment(const ExperimentOptions& options, Session& session, Json& out);

std::string experiment_page(const Json& report, const std::string& command);

}  // namespace aprscope::cli
