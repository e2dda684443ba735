// Sharpening of a map, with what its half maps say of it where they are named.
#include <string>
#include <utility>

#include "core/maps/fsc_curves.hpp"
#include "core/maps/sharpening.hpp"
#include "core/operations/engine/result_data.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/maps/map_input.hpp"
#include "core/operations/maps/map_parameters.hpp"
#include "core/operations/maps/maps.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr double kMostB = 10000.0;  // Å²

OperationSchema sharpen_schema() {
  return operation_schema("map_sharpen", "Sharpen a map", "Maps", {DataKind::pixels},
                          "Sharpens a map: a B-factor amplifies fine detail, and what is finer "
                          "than the resolution is removed. Half maps weight each frequency by how "
                          "well they agree; an MTF file corrects for the detector.")
      .with(text("half1", "First half map")
                .names_file()
                .help("File of one half map. Empty: the half maps of a map that was reconstructed "
                      "in this program; without any, frequencies are not weighted and Low-pass "
                      "sets the resolution."))
      .with(text("half2", "Second half map").names_file().help("File of the other half map."))
      .with(text("mask", "Mask")
                .names_file()
                .help("File of a soft mask in which the half maps are compared; the map itself is "
                      "not masked. Empty: none."))
      .with(real("b_factor", "B-factor", -kMostB)
                .range(-kMostB, kMostB)
                .lowest("automatic")
                .unit("Å²")
                .main()
                .help("Amplitudes are multiplied by exp(-B k²/4), with k the spatial frequency: "
                      "below 0 sharpens, above 0 blurs. -10000: fitted to the map (Guinier plot)."))
      .with(
          real("low_pass", "Low-pass")
              .range(0.0, kMostAngstrom)
              .lowest("automatic")
              .unit("Å")
              .main()
              .help("Detail finer than this is removed. 0: the resolution at which the correlation "
                    "of the half maps falls below 0.143, or two voxels without half maps."))
      .with(fit_from_parameter())
      .with(fit_to_parameter("the low-pass limit"))
      .with(mtf_parameters());
}

std::uint64_t bytes_of_map_sharpen(const Operation& operation, const Dataset& input) {
  const bool halves = !parameter<std::string>(operation, "half1").empty();
  const auto map = static_cast<std::uint64_t>(input.size().count()) * sizeof(float);
  return map_bytes(input) + 2 * map + (halves ? fsc_bytes(input.size().z) + 3 * map : 0);
}

// The correlation of the half maps that are named; empty where none is named.
Result<std::vector<double>> correlation(const Operation& operation, const Dataset& input,
                                        std::int64_t side, const JobContext& context) {
  const auto& first = parameter<std::string>(operation, "half1");
  const auto& second = parameter<std::string>(operation, "half2");
  const auto& file = parameter<std::string>(operation, "mask");
  const Reconstruction* own = own_halves(input);
  if (first.empty() && second.empty() && own == nullptr) {
    if (file.empty()) return std::vector<double>();
    return Error{"has a mask to compare half maps in, and no half maps are named", input.name(),
                 "name both, or leave the mask out"};
  }
  if (first.empty() != second.empty()) {
    return Error{"has one half map, and two are needed", input.name(), "name both, or none"};
  }
  MapFile a;
  MapFile b;
  if (!first.empty()) {
    auto one = read_map(first, "half map", side, context.part(0.0, 0.15));
    if (!one) return one.error();
    auto other = read_map(second, "half map", side, context.part(0.15, 0.3));
    if (!other) return other.error();
    a = *std::move(one);
    b = *std::move(other);
    own = nullptr;
  }
  std::vector<float> mask;
  if (!file.empty()) {
    auto read = read_map(file, "mask", side, context.part(0.3, 0.4));
    if (!read) return read.error();
    mask = std::move(read->values);
  }
  const auto curves =
      fsc_curves(own != nullptr ? own->half1 : a.values, own != nullptr ? own->half2 : b.values,
                 side, mask, {}, context.part(0.4, 1.0));
  if (!curves) return curves.error();
  return curves->best();
}

Result<SharpenedMap> sharpen(const Operation& operation, const Dataset& input,
                             const JobContext& context) {
  const auto scale = map_scale_in_angstrom(input);
  if (!scale) return scale.error();
  if (Status ok = check_memory(bytes_of_map_sharpen(operation, input), input); !ok)
    return ok.error();
  SharpenSettings settings;
  auto mtf = named_mtf(operation, scale->voxel, context);
  if (!mtf) return mtf.error();
  settings.mtf = *std::move(mtf);
  auto fsc = correlation(operation, input, scale->side, context.part(0.0, 0.6));
  if (!fsc) return fsc.error();
  settings.fsc = *std::move(fsc);
  const auto above = [&](const char* id, double automatic) -> std::optional<double> {
    const double value = parameter<double>(operation, id);
    return value > automatic ? std::optional(value) : std::nullopt;
  };
  settings.b_factor = above("b_factor", -kMostB);
  settings.low_pass = above("low_pass", 0.0);
  settings.fit_from = parameter<double>(operation, "fit_from");
  settings.fit_to = above("fit_to", 0.0);
  auto done = sharpened(input.values().pixels().values, scale->side, scale->voxel, settings,
                        context.part(0.6, 1.0));
  if (!done && !done.error().cancelled()) {
    Error error = done.error();
    error.where = input.name();
    return error;
  }
  return done;
}

Result<Data> run_map_sharpen(const Operation& operation, const Dataset& input,
                             const IterationHooks&, const JobContext& context) {
  auto done = sharpen(operation, input, context);
  if (!done) return done.error();
  Data out = filtered_image(input, std::move(done->map));
  // The half maps stay those of the map before sharpening.
  std::get<Volume>(out).reconstruction = input.volume().reconstruction;
  return out;
}

// The operation with the B-factor and the limit that were found.
Operation settled_map_sharpen(Operation asked, const Dataset& input, const JobContext& context) {
  const auto whole = complete(asked);
  if (!whole || input.is_apr()) return asked;
  const bool open = parameter<double>(*whole, "b_factor") <= -kMostB ||
                    parameter<double>(*whole, "low_pass") <= 0.0;
  if (!open) return asked;
  const auto found = sharpen(*whole, input, context);
  if (!found) return asked;
  asked.parameters["b_factor"] = found->b_factor;
  asked.parameters["low_pass"] = found->low_pass;
  return asked;
}

}  // namespace

OperationType map_sharpen_operation() {
  OperationType type;
  type.schema = sharpen_schema();
  type.schema.counts = [](const Operation& operation, const std::string& id) {
    if (id == "mtf_pixel_size") return !parameter<std::string>(operation, "mtf").empty();
    return (id != "fit_from" && id != "fit_to") ||
           parameter<double>(operation, "b_factor") <= -kMostB;
  };
  type.traits.gives = Gives::pixels;
  type.traits.family = "map_sharpen";
  type.traits.panel = "filter";
  type.traits.has_command = true;
  type.cpu.bytes = bytes_of_map_sharpen;
  type.cpu.run = run_map_sharpen;
  type.settled = settled_map_sharpen;
  type.range = [](const Operation&) { return Range::own; };
  return type;
}

}  // namespace aprscope
