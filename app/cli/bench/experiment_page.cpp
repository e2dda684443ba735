#include "app/cli/bench/experiment.hpp"
#include "core/base/printed.hpp"
#include "core/base/system.hpp"

namespace aprscope::cli {
namespace {

std::string number(const Json& row, const char* key, const char* format, double scale = 1.0) {
  const Json& value = row.at(key);
  return value.is_number() ? printed(format, scale * value.get<double>()) : "–";
}

std::string bytes(const Json& row, const char* key) {
  const Json& value = row.at(key);
  return value.is_number() ? format_bytes(value.get<std::uint64_t>()) : "–";
}

void add_table(const Json& rows, const std::string& experiment, std::string& page) {
  page +=
      "| method | PSF | coverage | CR | s / iteration | memory | … while set up | held by the blur "
      "| PSNR | SSIM | affine PSNR | SSIM | blur |\n"
      "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n";
  for (const Json& row : rows) {
    if (row.at("experiment") != experiment) continue;
    page += "| " + row.at("method").get<std::string>() + " | " + row.at("psf").get<std::string>() +
            " | " + number(row, "coverage", "%.1f %%", 100.0) + " | " +
            number(row, "computational_ratio", "%.2f") + " | " +
            number(row, "seconds_an_iteration", "%.3f") + " | " + bytes(row, "bytes") + " | " +
            bytes(row, "setup_bytes") + " | " + bytes(row, "model_bytes") + " | " +
            number(row, "psnr_scale", "%.2f") + " | " + number(row, "ssim_scale", "%.3f") + " | " +
            number(row, "psnr_affine", "%.2f") + " | " + number(row, "ssim_affine", "%.3f") +
            " | " + row.at("blur").get<std::string>() + " |\n";
  }
  page += "\n";
}

void add_curves(const Json& curves, std::string& page) {
  page += "Error (√mean square ÷ range of the truth, after the best factor) while it iterates:\n\n";
  page += "| iteration |";
  std::string line = "\n|--:|";
  for (const auto& [name, points] : curves.items()) {
    page += " " + name + " |";
    line += "--:|";
  }
  page += line + "\n";
  const Json& first = curves.begin().value();
  for (std::size_t i = 0; i < first.size(); ++i) {
    page += "| " + std::to_string(first[i].at("iteration").get<int>()) + " |";
    for (const auto& [name, points] : curves.items()) {
      page += i < points.size() ? " " + number(points[i], "error", "%.5f") + " |" : " |";
    }
    page += "\n";
  }
  page += "\n";
}

}  // namespace

std::string experiment_page(const Json& report, const std::string& command) {
  const Json& machine = report.at("machine");
  std::string page = "# Deconvolution: the papers' experiments\n\n";
  page += "Measured on " + machine.at("cpu").get<std::string>() + " (" +
          std::to_string(machine.at("cores").get<unsigned>()) + " cores), commit `" +
          machine.at("commit").get<std::string>() + "`. Repeat with\n```sh\n" + command +
          "\n```\n\n";
  page +=
      "Richardson–Lucy from the image, no regularisation. Images are made from numbers with a "
      "seed, so that the truth is known. PSNR and SSIM (Gaussian window, σ = 1.5, range of the "
      "truth) after the factor that fits best; *affine* after the best factor and offset. "
      "Particles are compared as piecewise constant images. **s / iteration** is the median; "
      "**memory** is the most that the process held while it iterated beyond what it held before "
      "(the image or its particles included, the PSF and the truth not), **while set up** the same "
      "while the blur was made. CR: pixels ÷ particles. Seconds depend on the machine and on what "
      "else it does; compare ratios.\n\n";
  std::string last;
  for (const Json& row : report.at("rows")) {
    const auto experiment = row.at("experiment").get<std::string>();
    if (experiment == last) continue;
    last = experiment;
    page += "## " + experiment + "\n";
    for (const auto& [key, value] : report.at("facts").at(experiment).items()) {
      page += key + " " + value.dump() + " · ";
    }
    page += "\n\n";
    add_table(report.at("rows"), experiment, page);
  }
  if (report.contains("curves")) add_curves(report.at("curves"), page);
  return page;
}

}  // namespace aprscope::cli
