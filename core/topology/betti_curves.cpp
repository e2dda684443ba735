#include "core/topology/betti_curves.hpp"

namespace aprscope {

BettiCurves betti_curves(const Components& components, const TopologyCurves& curves) {
  BettiCurves out;
  std::vector<std::int64_t> enclosed;
  // Only some levels have a row in the curves.
  for (const std::size_t i : curves.places) {
    out.pieces.push_back(components.pieces[i]);
    enclosed.push_back(components.enclosed[i]);
  }
  if (curves.dimension == 2) {
    out.tunnels = std::move(enclosed);
    return out;
  }
  for (std::size_t i = 0; i < out.pieces.size(); ++i) {
    out.tunnels.push_back(out.pieces[i] + enclosed[i] - curves.euler[i]);
  }
  out.voids = std::move(enclosed);
  return out;
}

}  // namespace aprscope
