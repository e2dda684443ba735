#include "core/operations/measure/comparison.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/image/difference.hpp"

namespace aprscope {
namespace {

const char* const kGrey = "grey values";

}  // namespace

Result<Pixels<float>> as_pixels(const Dataset& data, ReconstructionMode mode,
                                const JobContext& context) {
  if (!data.is_apr()) return data.values().pixels();
  if (data.values().particles().empty() && mode != ReconstructionMode::level) {
    return Error{"has no particle values", data.name(), "open a file with a particle field"};
  }
  return reconstruct(*data.apr().access, data.values().particles(), mode, whole(data.size()),
                     context);
}

Result<ImageMetrics> compare_data(const Dataset& a, ReconstructionMode mode_a, const Dataset& b,
                                  ReconstructionMode mode_b, const JobContext& context) {
  const auto pixels_of = [](const Dataset& data, ReconstructionMode mode, Pixels<float>& made,
                            const JobContext& part) -> Result<const Pixels<float>*> {
    if (!data.is_apr()) return &data.values().pixels();
    auto found = as_pixels(data, mode, part);
    if (!found) return found.error();
    made = *std::move(found);
    return &made;
  };
  Pixels<float> made_a;
  Pixels<float> made_b;
  const auto first = pixels_of(a, mode_a, made_a, context.part(0.0, 0.1));
  if (!first) return first.error();
  const auto second = pixels_of(b, mode_b, made_b, context.part(0.1, 0.2));
  if (!second) return second.error();
  auto found = compare_images(**first, **second, context.part(0.2, 1.0));
  if (!found && !found.error().cancelled()) {
    Error error = found.error();
    error.where = a.name() + " and " + b.name();
    return error;
  }
  return found;
}

Result<ImageMetrics> compare_slices(const Plane& a, const Plane& b, const JobContext& context) {
  return compare_images(plane_image(a), plane_image(b), context);
}

std::vector<NamedFigure> figures_of(const ImageMetrics& metrics) {
  return {{"psnr", "PSNR", "dB", metrics.psnr},
          {"ssim", "SSIM", "", metrics.ssim},
          {"nrmse", "NRMSE", "", metrics.nrmse},
          {"max_abs_diff", "Largest difference", kGrey, metrics.max_abs_diff}};
}

Table comparison_table(const ImageMetrics& metrics) {
  Table table;
  table.id = "comparison";
  table.label = "Comparison";
  const auto real = [&](const NamedFigure& figure) {
    const double value =
        std::isfinite(figure.value) ? figure.value : std::numeric_limits<double>::quiet_NaN();
    table.columns.push_back({figure.id, figure.label, figure.unit, std::vector<double>{value}});
  };
  const auto whole_number = [&](const char* id, const char* label, const char* unit,
                                std::int64_t value) {
    table.columns.push_back({id, label, unit, std::vector<std::int64_t>{value}});
  };
  for (const NamedFigure& figure : figures_of(metrics)) real(figure);
  whole_number("max_abs_diff_at_z", "At z", "px", metrics.max_at.z);
  whole_number("max_abs_diff_at_x", "At x", "px", metrics.max_at.x);
  whole_number("max_abs_diff_at_y", "At y", "px", metrics.max_at.y);
  real({"rms_diff", "RMS difference", kGrey, metrics.rms_diff});
  real({"mean_diff", "Mean difference", kGrey, metrics.mean_diff});
  whole_number("identical", "Equal", "", metrics.max_abs_diff == 0.0 ? 1 : 0);
  return table;
}

}  // namespace aprscope
