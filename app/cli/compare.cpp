#include <cmath>

#include "app/cli/commands.hpp"
#include "app/cli/data_io.hpp"
#include "core/image/metrics.hpp"

namespace aprscope::cli {
namespace {

struct CompareOptions {
  InputOptions a;
  InputOptions b;
  std::string mode = "constant";
};

Result<Pixels<float>> pixels(const InputOptions& input, const std::string& mode, Session& session) {
  auto data = load_input(input, session);
  if (!data) return data.error();
  const auto dataset = Dataset::create(*std::move(data));
  const auto how = mode == "smooth" ? ReconstructionMode::smooth : ReconstructionMode::constant;
  return session.timed("reconstruct", [&] { return as_pixels(*dataset, how, session.context()); });
}

Status compare(const CompareOptions& options, Session& session) {
  const auto a = pixels(options.a, options.mode, session);
  if (!a) return a.error();
  const auto b = pixels(options.b, options.mode, session);
  if (!b) return b.error();
  const auto metrics =
      session.timed("compare", [&] { return compare_images(*a, *b, session.context()); });
  if (!metrics) {
    Error error = metrics.error();
    if (error.cancelled()) return error;
    error.where = options.a.path + " and " + options.b.path;
    return error;
  }
  Json& report = session.report();
  report["size"] = to_json(a->size);
  // JSON has no infinity: equal images have no PSNR, and say so.
  report["identical"] = metrics->max_abs_diff == 0.0;
  report["psnr"] = std::isfinite(metrics->psnr) ? Json(metrics->psnr) : Json(nullptr);
  report["ssim"] = metrics->ssim;
  report["nrmse"] = std::isfinite(metrics->nrmse) ? Json(metrics->nrmse) : Json(nullptr);
  report["max_abs_diff"] = metrics->max_abs_diff;
  report["max_abs_diff_at"] = to_json(metrics->max_at);
  return {};
}

}  // namespace

void add_compare(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "compare", "PSNR, SSIM, NRMSE and largest difference of B from the reference A");
  auto options = std::make_shared<CompareOptions>();
  options->a.add_to(*command, "A");
  command->add_option("B", options->b.path, "What to compare with A: image or .apr")->required();
  command->add_option("--mode", options->mode, "How an APR becomes pixels (default constant)")
      ->check(CLI::IsMember({"constant", "smooth"}));
  command->callback([options, &chosen] {
    // Of a series, compare one channel and time of A with a single image, or with the same of B.
    chosen.run = [options](Session& session) -> Status {
      const auto info = inspect(options->b.path);
      if (!info) return info.error();
      if (info->channels.size() > 1) options->b.channel = options->a.channel;
      if (info->times > 1) options->b.time = options->a.time;
      return compare(*options, session);
    };
  });
}

}  // namespace aprscope::cli
