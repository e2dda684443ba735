// The Guinier plot of a map and the B-factor of the line through it.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "core/maps/detector_mtf.hpp"
#include "core/maps/guinier.hpp"
#include "core/maps/map_spectrum.hpp"
#include "core/maps/shells.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/maps/map_input.hpp"
#include "core/operations/maps/map_parameters.hpp"
#include "core/operations/maps/maps.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

// Resolution in Å: coarser shells show the shape of a molecule, not its atoms.
constexpr double kShape = 10.0;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

OperationSchema guinier_schema() {
  return operation_schema("guinier", "Guinier plot", "Measure", {DataKind::pixels},
                          "How the amplitudes of a map fall with spatial frequency, and the "
                          "B-factor from the slope of the straight line fitted to them.")
      .with(fit_from_parameter())
      .with(fit_to_parameter("two voxels"))
      .with(mtf_parameters());
}

std::uint64_t bytes_of_guinier(const Operation&, const Dataset& input) { return map_bytes(input); }

Curve curve_of(const Guinier& plot) {
  Curve curve;
  curve.id = "guinier";
  curve.label = "Guinier plot";
  curve.x = {"squared_frequency", "Squared spatial frequency", "1/Å²", plot.squared_frequency};
  curve.ys.push_back({"ln_amplitude", "ln of the mean amplitude", "", plot.log_amplitude});
  if (plot.line) {
    CurveLine line{"fit", "Line", "", {}};
    for (const double k2 : plot.squared_frequency) {
      const bool inside = std::sqrt(k2) * plot.from >= 1.0 && std::sqrt(k2) * plot.to <= 1.0 + 1e-9;
      line.values.push_back(inside ? plot.line->intercept + plot.line->slope * k2 : kNone);
    }
    curve.ys.push_back(std::move(line));
  }
  curve.marks.push_back({1.0 / (plot.from * plot.from), "from"});
  curve.marks.push_back({1.0 / (plot.to * plot.to), "to"});
  return curve;
}

Table table_of_fit(const Guinier& plot) {
  Table table{"fit", "Fit", {}};
  const auto column = [&](const char* id, const char* label, const char* unit, double value) {
    table.columns.push_back({id, label, unit, std::vector<double>{value}});
  };
  column("b_factor", "B-factor", "Å²", plot.line ? plot.line->b_factor() : kNone);
  column("correlation", "Correlation", "", plot.line ? plot.line->correlation : kNone);
  column("from", "From", "Å", plot.from);
  column("to", "To", "Å", plot.to);
  table.columns.push_back({"shells", "Shells", "", std::vector<std::int64_t>{plot.shells}});
  return table;
}

Result<Measurement> measure_guinier(const Operation& operation, const Dataset& input,
                                    const JobContext& context) {
  const auto scale = map_scale_in_angstrom(input);
  if (!scale) return scale.error();
  if (Status ok = check_memory(bytes_of_guinier(operation, input), input); !ok) return ok.error();
  const double typed = parameter<double>(operation, "fit_to");
  const double to = typed > 0.0 ? typed : 2.0 * scale->voxel;
  const auto mtf = named_mtf(operation, scale->voxel, context);
  if (!mtf) return mtf.error();
  if (*mtf) {
    if (Status ok = check_mtf(**mtf, 1.0 / std::max(to, 2.0 * scale->voxel)); !ok) {
      return Error{ok.error().what, input.name(), ok.error().advice};
    }
  }
  auto spectrum = MapSpectrum::of(input.values().pixels().values, scale->side, context);
  if (!spectrum) return spectrum.error();
  if (*mtf) divide_by_mtf(*spectrum, **mtf, scale->voxel);
  const Guinier plot = guinier(radial_amplitude(*spectrum), scale->side, scale->voxel,
                               parameter<double>(operation, "fit_from"), to);
  Measurement out;
  out.curves.push_back(curve_of(plot));
  out.tables.push_back(table_of_fit(plot));
  if (!plot.line) {
    out.notes.emplace_back("fewer than three shells lie in the range of the fit: there is no line");
  }
  if (plot.from > kShape) {
    out.notes.emplace_back(
        "at 10 Å and coarser amplitudes follow the shape of the molecule: a line that begins there "
        "says little");
  }
  return out;
}

}  // namespace

OperationType guinier_operation() {
  OperationType type;
  type.schema = guinier_schema();
  type.schema.counts = [](const Operation& operation, const std::string& id) {
    return id != "mtf_pixel_size" || !parameter<std::string>(operation, "mtf").empty();
  };
  type.traits.gives = Gives::measurement;
  type.traits.family = "guinier";
  type.traits.panel = "measure";
  type.cpu.bytes = bytes_of_guinier;
  type.cpu.measure = measure_guinier;
  return type;
}

}  // namespace aprscope
