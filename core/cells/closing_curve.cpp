#include "core/cells/closing_curve.hpp"

#include <algorithm>

namespace aprscope {
namespace {

// A change that is none, as a part of what is enclosed.
constexpr double kSame = 0.01;

bool same(const ClosedCells& a, const ClosedCells& b) {
  const auto [low, high] = std::minmax(a.enclosed, b.enclosed);
  return low > 0 && static_cast<double>(high - low) <= kSame * static_cast<double>(high);
}

Result<ClosedCells> counted(const CellParts& parts, Connectivity connectivity,
                            const JobContext& context) {
  const auto objects = label_objects(parts, connectivity, context);
  if (!objects) return objects.error();
  ClosedCells out;
  std::vector<bool> encloses(std::size_t{objects->largest} + 1, false);
  for (std::size_t i = 0; i < parts.values.size(); ++i) {
    const auto part = static_cast<CellPart>(parts.values[i]);
    if (part == CellPart::exterior) continue;
    ++out.pixels;
    if (part != CellPart::lumen) continue;
    ++out.enclosed;
    encloses[objects->values[i]] = true;
  }
  out.cells = std::count(encloses.begin(), encloses.end(), true);
  return out;
}

}  // namespace

Result<std::vector<ClosedCells>> closing_curve(const Pixels<std::uint8_t>& membrane,
                                               const VoxelSize& voxel,
                                               std::span<const double> radii,
                                               Connectivity connectivity,
                                               const JobContext& context) {
  std::vector<ClosedCells> out;
  const auto steps = static_cast<double>(radii.size());
  for (const double radius : radii) {
    const auto at = static_cast<double>(out.size());
    const auto parts = close_and_fill(membrane, voxel, radius, connectivity,
                                      context.part(at / steps, (at + 0.8) / steps));
    if (!parts) return parts.error();
    auto one = counted(*parts, connectivity, context.part((at + 0.8) / steps, (at + 1.0) / steps));
    if (!one) return one.error();
    one->radius = radius;
    out.push_back(*one);
  }
  return out;
}

std::optional<std::size_t> start_of_plateau(std::span<const ClosedCells> curve, double least) {
  std::optional<std::size_t> best;
  std::size_t longest = 1;
  // Radii are products of steps: what is as long as `least` may be a little shorter.
  const double long_enough = least * (1.0 - 1e-9);
  for (std::size_t begin = 0; begin < curve.size();) {
    std::size_t end = begin + 1;
    while (end < curve.size() && same(curve[end - 1], curve[end])) ++end;
    const bool counts = curve[end - 1].radius - curve[begin].radius >= long_enough;
    if (counts && end - begin > longest) {
      longest = end - begin;
      best = begin;
    }
    begin = end;
  }
  return best;
}

}  // namespace aprscope
