#include "core/operations/segment/kept_parameters.hpp"

#include <algorithm>
#include <utility>

#include "core/cells/kept_labels.hpp"
#include "core/cells/slice_findings.hpp"
#include "core/operations/schema/schema_builder.hpp"
#include "core/operations/schema/words.hpp"

namespace aprscope {
namespace {

using namespace schema;  // NOLINT: its words are what this file is written in

constexpr Word<Connectivity> kConnectivities[] = {
    {"26", Connectivity::corners}, {"18", Connectivity::edges}, {"6", Connectivity::faces}};

}  // namespace

AllLabels::AllLabels(Labels all) : labels(std::move(all)), counts(label_counts(labels)) {}

AllLabels::AllLabels(Labels all, std::vector<std::int64_t> counted)
    : labels(std::move(all)), counts(std::move(counted)) {}

std::uint64_t AllLabels::bytes() const {
  return labels.bytes() + counts.size() * sizeof(std::int64_t);
}

ParameterSpec connectivity_parameter(const std::string& of, bool corners_first) {
  std::vector<std::string> words = words_of(kConnectivities);
  if (!corners_first) std::reverse(words.begin(), words.end());
  return choice("connectivity", "Connectivity", std::move(words))
      .help("Which neighbouring pixels of " + of +
            " are connected. 6: those that share a face; 18: also an edge; 26: also a corner (in "
            "one slice 4, 8 and 8).");
}

Connectivity connectivity_of(const Operation& operation) {
  return value_of(kConnectivities, parameter<std::string>(operation, "connectivity"));
}

ParameterSpec min_volume_parameter(const std::string& smaller) {
  return real("min_volume", "Least volume")
      .range(0.0, 1e18)
      .unit(kVolumeUnit)
      .described(Described::changed)
      .help(smaller +
            "; in the cube of the unit of the voxel size (µm³; px³ where the file has none; for "
            "one slice its square).");
}

double pixel_volume(const Dataset& input) {
  const VoxelSize& voxel = input.voxel();
  return (input.size().z == 1 ? 1.0 : voxel.z) * voxel.x * voxel.y;
}

Result<Labels> large_enough(const Operation& operation, const Dataset& input,
                            const AllLabels& all) {
  const double least = parameter<double>(operation, "min_volume") / pixel_volume(input);
  // Tolerance for rounding: objects of exactly the least volume stay.
  Labels kept = kept_labels(all.labels, all.counts, least * (1.0 - 1e-12));
  if (kept.largest > 0) return kept;
  return Error{"has no object as large as the least volume", input.name(), "choose a smaller one"};
}

}  // namespace aprscope
