// Fourier shell correlation of the data with another map: unmasked, masked, corrected.
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/maps/directional_fsc.hpp"
#include "core/maps/fsc_curves.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/maps/map_input.hpp"
#include "core/operations/maps/maps.hpp"
#include "core/operations/schema/schema_builder.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

OperationSchema fsc_schema() {
  return operation_schema("fsc", "Fourier shell correlation", "Measure", {DataKind::pixels},
                          "How well two maps agree at each spatial frequency (FSC), such as the "
                          "two half maps of a reconstruction. With a mask also inside the mask, "
                          "and corrected for the agreement that the mask itself causes.")
      .with(text("other", "Other map")
                .names_file()
                .main()
                .help("File of the map to compare with: the other half map, or a model of the same "
                      "size on the same grid. Empty: the half maps of a map that was reconstructed "
                      "in this program."))
      .with(text("mask", "Mask")
                .names_file()
                .help("File of a soft mask of the same size, 0 to 1; empty: none."))
      .with(
          real("randomise_below", "Random phases below", 0.8)
              .range(0.01, 0.999)
              .described(Described::changed)
              .help("With a mask: phases are randomised from the frequency on at which the "
                    "unmasked curve first falls below this value, to measure what the mask adds."))
      .with(boolean("directional", "By direction")
                .help("Also the lowest and the highest curve over all directions, each computed "
                      "within 20° of a direction. They lie far apart where views are missing."));
}

std::uint64_t bytes_of_fsc(const Operation&, const Dataset& input) {
  // The two maps and the mask, those that were multiplied, beside what the curves take.
  return fsc_bytes(input.size().z) +
         5 * static_cast<std::uint64_t>(input.size().count()) * sizeof(float);
}

Status takes_fsc(const Operation& operation, const Dataset& input) {
  if (!parameter<std::string>(operation, "other").empty() || own_halves(input) != nullptr)
    return {};
  return Error{"is to be compared with another map, and none is named", input.name(),
               "choose the file of the other half map"};
}

// The two maps that are compared; `read` keeps one that came from a file.
struct Pair {
  MapFile read;
  std::span<const float> first, second;
};

Result<Pair> pair_of(const Operation& operation, const Dataset& input, std::int64_t side,
                     const JobContext& context) {
  Pair pair;
  const auto& other = parameter<std::string>(operation, "other");
  if (other.empty()) {
    pair.first = own_halves(input)->half1;
    pair.second = own_halves(input)->half2;
    return pair;
  }
  auto read = read_map(other, "other map", side, context);
  if (!read) return read.error();
  pair.read = *std::move(read);
  pair.first = input.values().pixels().values;
  pair.second = pair.read.values;
  return pair;
}

std::vector<float> times(std::span<const float> map, const std::vector<float>& mask) {
  std::vector<float> product(map.begin(), map.end());
  for (std::size_t i = 0; i < mask.size(); ++i) product[i] *= mask[i];
  return product;
}

Result<Measurement> measure_fsc(const Operation& operation, const Dataset& input,
                                const JobContext& context) {
  const auto scale = map_scale(input);
  if (!scale) return scale.error();
  if (Status ok = check_memory(bytes_of_fsc(operation, input), input); !ok) return ok.error();
  const auto pair = pair_of(operation, input, scale->side, context.part(0.0, 0.2));
  if (!pair) return pair.error();
  std::vector<float> mask;
  MaskFacts facts;
  if (const auto& file = parameter<std::string>(operation, "mask"); !file.empty()) {
    auto read = read_map(file, "mask", scale->side, context.part(0.2, 0.3));
    if (!read) return read.error();
    mask = std::move(read->values);
    facts = mask_facts(mask, scale->side);
    if (!(facts.highest > 0.0F)) {
      return Error{"lets nothing through: no value is above 0", file, "choose another mask"};
    }
  }
  const FscSettings settings{.randomise_below = parameter<double>(operation, "randomise_below")};
  const bool directional = parameter<bool>(operation, "directional");
  auto curves = fsc_curves(pair->first, pair->second, scale->side, mask, settings,
                           context.part(0.3, directional ? 0.7 : 1.0));
  if (!curves) return curves.error();
  if (directional) {
    auto found = directional_fsc(times(pair->first, mask), times(pair->second, mask), scale->side,
                                 context.part(0.7, 1.0));
    if (!found) return found.error();
    curves->lowest = std::move(found->lowest);
    curves->highest = std::move(found->highest);
    curves->along = std::move(found->curves);
  }
  Measurement found = fsc_measurement(*curves, *scale, facts);
  const std::string note = voxel_note(*scale, pair->read, "other map");
  if (!note.empty()) found.notes.push_back(note);
  return found;
}

}  // namespace

OperationType fsc_operation() {
  OperationType type;
  type.schema = fsc_schema();
  type.traits.gives = Gives::measurement;
  type.traits.family = "fsc";
  type.traits.panel = "measure";
  type.traits.shown_in = "reconstruct";
  type.takes = takes_fsc;
  type.cpu.bytes = bytes_of_fsc;
  type.cpu.measure = measure_fsc;
  return type;
}

}  // namespace aprscope
