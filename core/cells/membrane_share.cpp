#include "core/cells/membrane_share.hpp"

#include <limits>
#include <utility>

#include "core/cells/distance.hpp"
#include "core/cells/renumbered.hpp"

namespace aprscope {
namespace {

constexpr auto kExteriorPart = static_cast<std::uint8_t>(CellPart::exterior);
constexpr auto kMembranePart = static_cast<std::uint8_t>(CellPart::membrane);
// Stands for the exterior among labels; no label is as large, see connected_components().
constexpr std::uint32_t kExteriorLabel = std::numeric_limits<std::uint32_t>::max();

// The membrane of objects that have a lumen.
Result<std::vector<std::uint8_t>> membrane_of_lumens(const CellParts& parts, Connectivity membrane,
                                                     const JobContext& context) {
  const auto objects = label_objects(parts, membrane, context);
  if (!objects) return objects.error();
  std::vector<std::uint8_t> has(static_cast<std::size_t>(objects->largest) + 1, 0);
  for (std::size_t i = 0; i < parts.values.size(); ++i) {
    if (parts.values[i] == static_cast<std::uint8_t>(CellPart::lumen)) has[objects->values[i]] = 1;
  }
  std::vector<std::uint8_t> wanted(parts.values.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted[i] = parts.values[i] == kMembranePart ? has[objects->values[i]] : 0;
  }
  return wanted;
}

}  // namespace

Result<Labels> share_membrane(Labels labels, const CellParts& parts, bool of_lumens,
                              MembraneShare share, Connectivity membrane, const VoxelSize& voxel,
                              const JobContext& context) {
  if (share == MembraneShare::inside && !of_lumens) return labels;
  auto& values = labels.values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (parts.values[i] == kMembranePart) values[i] = 0;
    if (share == MembraneShare::half && parts.values[i] == kExteriorPart)
      values[i] = kExteriorLabel;
  }
  if (share != MembraneShare::outside) {
    const auto wanted = membrane_of_lumens(parts, membrane, context.part(0.0, 0.2));
    if (!wanted) return wanted.error();
    Status done = spread_labels(values, *wanted, parts.size, voxel, context.part(0.2, 1.0));
    if (!done) return done.error();
  }
  for (std::uint32_t& value : values) {
    if (value == kExteriorLabel) value = 0;
  }
  return renumbered(std::move(labels));
}

}  // namespace aprscope
