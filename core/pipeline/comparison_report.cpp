#include "core/pipeline/comparison_report.hpp"

#include <cmath>
#include <utility>

#include "core/base/csv.hpp"
#include "core/base/printed.hpp"
#include "core/base/system.hpp"
#include "core/operations/engine/registry.hpp"
#include "core/operations/measure/comparison.hpp"

namespace aprscope {
namespace {

void add_metrics(std::string& text, const std::string& of, const ImageMetrics& m) {
  for (const NamedFigure& figure : figures_of(m)) {
    const std::string value = std::isinf(figure.value) ? "inf" : csv_number(figure.value);
    text += csv_line({of, figure.id, value, figure.unit});
  }
}

void add_side(std::string& text, const std::string& of, const ComparedSide& side) {
  const auto line = [&](const std::string& quantity, const std::string& value, const char* unit) {
    text += csv_line({of, quantity, value, unit});
  };
  line("name", side.name, "");
  line("shown_as", side.shown_as, "");
  for (const StepCost& cost : side.costs) {
    line("seconds_step_" + cost.operation, csv_number(cost.seconds), "s");
  }
  const SideCosts sum = side_costs(side.costs);
  if (sum.steps_seconds) line("seconds_all_steps", csv_number(*sum.steps_seconds), "s");
  if (sum.conversion_seconds) line("seconds_conversion", csv_number(*sum.conversion_seconds), "s");
  line("bytes_held", std::to_string(side.bytes), "B");
  if (sum.steps_peak_bytes) {
    line("bytes_peak_of_steps", std::to_string(*sum.steps_peak_bytes), "B");
  }
  if (side.particles > 0) {
    line("particles", std::to_string(side.particles), "");
    line("cr", csv_number(side.computational_ratio), "");
  }
  if (!sum.backend.empty()) line("backend", sum.backend, "");
}

}  // namespace

ComparedSide compared_side(const std::string& name, const Dataset& data, ReconstructionMode mode,
                           std::vector<StepCost> costs) {
  ComparedSide side;
  side.name = name;
  side.costs = std::move(costs);
  side.bytes = own_bytes(data.data());
  side.shown_as = "pixels";
  if (data.is_apr()) {
    side.shown_as =
        mode == ReconstructionMode::smooth ? "particles, smooth" : "particles, constant";
    side.particles = data.apr().access->count();
    side.computational_ratio = data.apr().access->computational_ratio();
  }
  return side;
}

std::string report_csv(const ComparisonReport& report) {
  std::string text = csv_line({"of", "quantity", "value", "unit"});
  const char* axis = report.axis == Axis::z ? "z" : report.axis == Axis::x ? "x" : "y";
  if (report.slice) {
    const std::string of = "slice " + std::string(axis) + " " + std::to_string(report.index);
    add_metrics(text, of, *report.slice);
    // Rows and columns of the slice itself; see Plane.
    text += csv_line({of, "max_abs_diff_at_row", std::to_string(report.slice->max_at.x), "px"});
    text += csv_line({of, "max_abs_diff_at_column", std::to_string(report.slice->max_at.y), "px"});
  }
  if (report.volume) {
    add_metrics(text, "volume", *report.volume);
    const Index3& p = report.volume->max_at;
    for (const auto& [name, value] : {std::pair{"max_abs_diff_at_z", p.z},
                                      {"max_abs_diff_at_x", p.x},
                                      {"max_abs_diff_at_y", p.y}}) {
      text += csv_line({"volume", name, std::to_string(value), "px"});
    }
  }
  add_side(text, "A", report.a);
  add_side(text, "B", report.b);
  return text;
}

std::string profile_csv(const LineProfile& a, const LineProfile& b, const std::string& unit) {
  std::string text = csv_line({"distance_" + unit, "a", "b"});
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    text += csv_line({csv_number(a.distance[i]), csv_number(a.values[i]),
                      i < b.values.size() ? csv_number(b.values[i]) : ""});
  }
  return text;
}

std::string metrics_line(const ImageMetrics& m) {
  if (m.max_abs_diff == 0.0) return "equal";
  return "PSNR " + printed("%.2f", m.psnr) + " dB · SSIM " + printed("%.4f", m.ssim) + " · NRMSE " +
         printed("%.3g", m.nrmse) + " · largest difference " + printed("%.5g", m.max_abs_diff);
}

std::string cost_line(const ComparedSide& side) {
  const SideCosts costs = side_costs(side.costs);
  std::string line;
  if (costs.steps_seconds) line += "steps " + duration_text(*costs.steps_seconds) + " · ";
  if (costs.conversion_seconds) {
    line += "conversion " + duration_text(*costs.conversion_seconds) + " · ";
  }
  line += "holds " + format_bytes(side.bytes);
  if (costs.steps_peak_bytes) line += " · peak of steps " + format_bytes(*costs.steps_peak_bytes);
  if (side.particles > 0) line += " · CR " + printed("%.1f", side.computational_ratio);
  if (!costs.backend.empty()) line += " · " + costs.backend;
  return line;
}

SideCosts side_costs(const std::vector<StepCost>& costs) {
  std::vector<StepCost> conversion;
  std::vector<StepCost> steps;
  for (const StepCost& cost : costs) {
    const bool converts = traits_of({cost.operation, {}}).gives == Gives::apr;
    (converts ? conversion : steps).push_back(cost);
  }
  SideCosts out;
  if (!steps.empty()) out.steps_seconds = total(steps).seconds;
  if (!conversion.empty()) out.conversion_seconds = total(conversion).seconds;
  out.steps_peak_bytes = total(steps).peak_bytes;
  out.backend = total(costs).backend;
  return out;
}

std::string cost_summary(const ComparedSide& a, const ComparedSide& b) {
  const auto times = [](double ratio) {
    return printed(ratio < 10.0 ? "%.1f" : "%.0f", ratio) + " ×";
  };
  const double time_a = side_costs(a.costs).steps_seconds.value_or(0.0);
  const double time_b = side_costs(b.costs).steps_seconds.value_or(0.0);
  std::string text;
  if (time_a > 0.0 && time_b > 0.0) {
    text = time_a >= time_b ? "B's steps were " + times(time_a / time_b) + " faster"
                            : "B's steps were " + times(time_b / time_a) + " slower";
  }
  const auto held_a = static_cast<double>(a.bytes);
  const auto held_b = static_cast<double>(b.bytes);
  if (held_a > 0.0 && held_b > 0.0 && held_a != held_b) {
    if (!text.empty()) text += "; ";
    text += held_a > held_b ? "B holds " + times(held_a / held_b) + " less memory"
                            : "B holds " + times(held_b / held_a) + " more memory";
  }
  return text;
}

std::string duration_text(double seconds) {
  if (seconds < 1.0) return printed("%.3g ms", 1e3 * seconds);
  return printed(seconds < 10.0 ? "%.2f s" : "%.1f s", seconds);
}

}  // namespace aprscope
