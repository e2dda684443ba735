#include <algorithm>
#include <chrono>
#include <fstream>

#include <malloc.h>

#include "app/cli/bench/experiment.hpp"
#include "core/apr/convert/conversion.hpp"
#include "core/apr/convert/gradient_scale.hpp"
#include "core/apr/sample/reconstruction.hpp"
#include "core/base/system.hpp"
#include "core/deconvolution/iterate/richardson_lucy.hpp"

namespace aprscope::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point a, Clock::time_point b) {
  return std::chrono::duration<double>(b - a).count();
}

// Resets the peak memory of the process and returns the present size. Where the system does not
// allow the reset, later figures are upper bounds.
std::uint64_t restart_peak() {
  ::malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5" << std::flush;
  return resident_bytes();
}

std::uint64_t more_than(std::uint64_t peak, std::uint64_t base) {
  return peak > base ? peak - base : 0;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  return *half;
}

Json method_row(const std::string& experiment, const Method& method, int iterations,
                const MethodRun& run, const Scores& scores) {
  auto row = Json::object();
  row["experiment"] = experiment;
  row["method"] = method.name;
  row["psf"] = method.psf;
  row["coverage"] = method.coverage;
  row["computational_ratio"] = method.ratio;
  row["iterations"] = iterations;
  row["seconds_an_iteration"] = run.seconds;
  row["setup_seconds"] = run.setup_seconds;
  row["bytes"] = run.bytes;
  row["setup_bytes"] = run.setup_bytes;
  row["model_bytes"] = run.model_bytes;
  row["psnr_scale"] = scores.psnr_scale;
  row["ssim_scale"] = scores.ssim_scale;
  row["psnr_affine"] = scores.psnr_affine;
  row["ssim_affine"] = scores.ssim_affine;
  row["blur"] = run.description;
  return row;
}

}  // namespace

Result<MethodRun> run_method(const Method& method, int iterations, Session& session,
                             const IterationObserver& observer) {
  MethodRun run;
  const std::uint64_t base = restart_peak();
  const auto before = Clock::now();
  auto blur = method.blur();
  if (!blur) return blur.error();
  run.setup_seconds = seconds_between(before, Clock::now());
  run.setup_bytes = more_than(peak_resident_bytes(), base);
  run.description = (*blur)->description();
  run.model_bytes = (*blur)->bytes();

  RichardsonLucyOptions options;
  options.iterations = iterations;
  RichardsonLucyHooks hooks;
  if (observer) {
    hooks.observer = [&](const RichardsonLucyReport& report, std::span<const float> values) {
      observer(report.iteration, values);
    };
  }
  // Progress is reported at the end of each iteration, which gives the iteration's time.
  std::vector<double> seconds;
  seconds.reserve(static_cast<std::size_t>(iterations) + 8);
  auto last = Clock::now();
  const JobContext& outer = session.context();
  const JobContext context(outer.stop_token(), [&](double fraction, std::string_view stage) {
    const auto now = Clock::now();
    seconds.push_back(seconds_between(last, now));
    last = now;
    outer.report(fraction, method.name + ": " + std::string(stage));
  });
  restart_peak();
  auto done = richardson_lucy(**blur, method.observed, options, nullptr, {}, hooks, context);
  if (!done) return done.error();
  run.bytes = more_than(peak_resident_bytes(), base) + method.observed.size() * sizeof(float) +
              method.structure_bytes;
  if (seconds.size() > 1) seconds.erase(seconds.begin());  // the first one includes the preparation
  run.seconds = median(seconds);
  run.values = std::move(done->values);
  return run;
}

Json input_row(const std::string& experiment, const std::string& name, const Scores& scores,
               double ratio) {
  Method method;
  method.name = name;
  method.psf = "-";
  method.ratio = ratio;
  MethodRun run;
  run.description = "-";
  Json row = method_row(experiment, method, 0, run, scores);
  for (const char* key : {"coverage", "seconds_an_iteration", "setup_seconds", "bytes",
                          "setup_bytes", "model_bytes"}) {
    row[key] = nullptr;
  }
  return row;
}

bool wants(const ExperimentOptions& options, const std::string& method) {
  return options.methods.empty() ||
         std::find(options.methods.begin(), options.methods.end(), method) != options.methods.end();
}

Status add_method(const std::string& experiment, const Method& method, const Pixels<float>& truth,
                  const ExperimentOptions& options, Session& session, Json& out) {
  if (!wants(options, method.name)) return {};
  const int iterations = options.iterations > 0 ? options.iterations : 100;
  const auto run = run_method(method, iterations, session);
  if (!run) return run.error();
  const auto image = method.image(run->values);
  if (!image) return image.error();
  const auto scores = score(truth, *image, session.context());
  if (!scores) return scores.error();
  out["rows"].push_back(method_row(experiment, method, iterations, *run, *scores));
  return {};
}

Result<Apr> convert_to_ratio(const Volume& volume, double ratio, double& used, Session& session) {
  ConversionParameters parameters;
  const auto scale = compute_gradient_scale(volume, parameters, session.context());
  if (!scale) return scale.error();
  // With a looser bound there are fewer particles.
  double low = 0.01;
  double high = 2.0;
  for (int i = 0; i < 14; ++i) {
    const double middle = std::sqrt(low * high);
    parameters.rel_error = static_cast<float>(middle);
    const auto access = build_access(*scale, parameters, session.context());
    if (!access) return access.error();
    const double found = (*access)->computational_ratio();
    if (std::abs(found / ratio - 1.0) < 0.02) break;
    (found < ratio ? low : high) = middle;
  }
  used = static_cast<double>(parameters.rel_error);
  return convert(volume, parameters, session.context());
}

std::vector<float> field_values(const Apr& apr) { return apr.main_field()->to_float(); }

std::function<Result<Pixels<float>>(std::span<const float>)> reconstructor(const Apr& apr,
                                                                           Session& session) {
  return [access = apr.access, &session](std::span<const float> values) {
    return reconstruct(*access, values, ReconstructionMode::constant, whole(access->size()),
                       session.context());
  };
}

}  // namespace aprscope::cli
