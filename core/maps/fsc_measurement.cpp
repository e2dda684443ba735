#include "core/maps/fsc_measurement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string_view>
#include <utility>

#include "core/maps/shells.hpp"

namespace aprscope {
namespace {

constexpr double kHalf = 0.5;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Line {
  const char* id;
  const char* label;
  const std::vector<double>* values;
};

std::vector<Line> lines_of(const FscCurves& curves) {
  std::vector<Line> lines{{"unmasked", "Unmasked", &curves.unmasked}};
  if (!curves.masked.empty()) lines.push_back({"masked", "Masked", &curves.masked});
  if (!curves.randomised.empty()) {
    lines.push_back({"randomised", "Masked, phases randomised", &curves.randomised});
    lines.push_back({"corrected", "Corrected", &curves.corrected});
  }
  return lines;
}

std::string text(double value, const std::string& unit) {
  std::array<char, 64> digits{};
  std::snprintf(digits.data(), digits.size(), "%.2f", value);
  return digits.data() + (" " + unit);
}

double frequency(std::size_t shell, const MapScale& scale) {
  return static_cast<double>(shell) / (static_cast<double>(scale.side) * scale.voxel);
}

Curve curve_of(const FscCurves& curves, const std::vector<Line>& lines, const MapScale& scale) {
  Curve curve;
  curve.id = "fsc";
  curve.label = "Fourier shell correlation";
  curve.in_table = "shells";
  curve.x = {"frequency", "Spatial frequency", "1/" + scale.unit, {}};
  for (std::size_t s = 0; s < lines.front().values->size(); ++s) {
    curve.x.values.push_back(frequency(s, scale));
  }
  curve.reciprocal_of = scale.unit;
  curve.span = CurveSpan{0.0, 1.0};
  curve.levels = {{kGoldStandard, "0.143"}, {kHalf, "0.5"}};
  for (const Line& line : lines) curve.ys.push_back({line.id, line.label, "", *line.values});
  if (!curves.lowest.empty()) {
    curve.ys.push_back({"lowest", "Worst direction", "", curves.lowest});
    curve.ys.push_back({"highest", "Best direction", "", curves.highest});
  }
  const Line& best = lines.back();
  for (const double threshold : {kHalf, kGoldStandard}) {
    const auto found = crossing(*best.values, threshold, scale.side, scale.voxel);
    if (!found) continue;
    curve.marks.push_back({1.0 / *found, text(*found, scale.unit) + " at " +
                                             (threshold == kGoldStandard ? "0.143" : "0.5")});
  }
  curve.marks.push_back({0.5 / scale.voxel, "Nyquist"});
  return curve;
}

Table shell_table(const Curve& curve, const MapScale& scale) {
  Table table{"shells", "Shells", {}};
  std::vector<std::int64_t> shells;
  std::vector<double> resolution;
  for (std::size_t s = 0; s < curve.x.values.size(); ++s) {
    shells.push_back(static_cast<std::int64_t>(s));
    resolution.push_back(s == 0 ? kNone : 1.0 / curve.x.values[s]);
  }
  table.columns.push_back({"shell", "Shell", "", std::move(shells)});
  table.columns.push_back({"frequency", curve.x.label, curve.x.unit, curve.x.values});
  table.columns.push_back({"resolution", "Resolution", scale.unit, std::move(resolution)});
  for (const CurveLine& line : curve.ys) {
    table.columns.push_back({line.id, line.label, "", line.values});
  }
  return table;
}

// The crossings in words: "unmasked: 6.10 Å at 0.143, 8.02 Å at 0.5".
std::string crossings(const Line& line, const MapScale& scale) {
  std::string words = std::string(line.id) + ": ";
  const auto at = [&](double threshold) {
    const auto found = crossing(*line.values, threshold, scale.side, scale.voxel);
    return found ? text(*found, scale.unit)
                 : "finer than " + text(2.0 * scale.voxel, scale.unit) + " (Nyquist)";
  };
  return words + at(kGoldStandard) + " at 0.143, " + at(kHalf) + " at 0.5";
}

// Resolutions along the directions: "along directions (cones of 20°): 5.90 Å to 8.40 Å at 0.143".
std::string direction_note(const FscCurves& curves, const MapScale& scale) {
  double best = std::numeric_limits<double>::infinity();
  double worst = 0.0;
  const double nyquist = 2.0 * scale.voxel;
  for (const std::vector<double>& curve : curves.along) {
    // Shells in which a cone has no say are those of coarse detail.
    const auto first =
        std::find_if(curve.begin(), curve.end(), [](double v) { return !std::isnan(v); });
    std::vector<double> known = curve;
    std::fill(known.begin(), known.begin() + (first - curve.begin()), 1.0);
    const double at = crossing(known, kGoldStandard, scale.side, scale.voxel).value_or(nyquist);
    best = std::min(best, at);
    worst = std::max(worst, at);
  }
  return "along directions (cones of 20°): " + text(best, scale.unit) + " to " +
         text(worst, scale.unit) + " at 0.143";
}

void add_mask_notes(const FscCurves& curves, const MapScale& scale, const MaskFacts& mask,
                    std::vector<std::string>& notes) {
  if (mask.edge < kNarrowEdge) {
    notes.push_back("the edge of the mask is about " + text(mask.edge, "voxels") +
                    " wide: below 3 it makes maps agree that do not; give it a softer edge");
  }
  if (mask.touches_border) {
    notes.emplace_back(
        "the mask touches the border of the box, so that what it cuts off on one side agrees with "
        "the other: use a larger box or a smaller mask");
  }
  if (mask.lowest < -1e-3F || mask.highest > 1.001F) {
    notes.emplace_back("the mask has values outside 0 … 1: it weighs parts of the map differently");
  }
  if (curves.randomised.empty()) {
    notes.emplace_back(
        "the unmasked curve stays high up to Nyquist: phases were not randomised and the masked "
        "curve is not corrected for the mask");
    return;
  }
  notes.push_back(
      "phases are random from shell " + std::to_string(curves.randomised_from) + " (" +
      text(1.0 / frequency(static_cast<std::size_t>(curves.randomised_from), scale), scale.unit) +
      ") on; the correction counts from two shells after it");
  double most = 0.0;
  for (auto s = static_cast<std::size_t>(curves.randomised_from) + 2; s < curves.randomised.size();
       ++s) {
    most = std::max(most, curves.randomised[s]);
  }
  if (most > 0.2) {
    notes.push_back("maps with random phases agree up to " + text(most, "").substr(0, 4) +
                    " inside this mask: it is too tight or too hard to trust the masked curve");
  }
}

}  // namespace

Measurement fsc_measurement(const FscCurves& curves, const MapScale& scale, const MaskFacts& mask) {
  const std::vector<Line> lines = lines_of(curves);
  Measurement out;
  out.curves.push_back(curve_of(curves, lines, scale));
  out.tables.push_back(shell_table(out.curves.front(), scale));
  // The one that counts first.
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (std::string_view(line->id) != "randomised") out.notes.push_back(crossings(*line, scale));
  }
  if (!curves.along.empty()) out.notes.push_back(direction_note(curves, scale));
  out.notes.emplace_back(
      "0.143 counts for half maps that were made apart, 0.5 for a map and an independent model");
  if (scale.unit == "px") {
    out.notes.emplace_back("the map has no voxel size: frequencies are in 1/px");
  }
  if (!curves.masked.empty()) add_mask_notes(curves, scale, mask, out.notes);
  return out;
}

}  // namespace aprscope
