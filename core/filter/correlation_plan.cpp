#include "core/filter/correlation_plan.hpp"

#include <algorithm>

#include "core/filter/folded_stencil.hpp"

namespace aprscope {

CorrelationPlan plan_correlation(const Stencil& stencil) {
  // Below this passes gain nothing where there are few particles: they list and fill more rows than
  // they save products. On images, and where most is refined, they would win from 25 on.
  constexpr std::int64_t kSeparableTaps = 40;
  const Size3& n = stencil.size;
  if (stencil.lines) return {CorrelationScheme::passes, n.z + n.x + n.y};
  const std::vector<float> weights(stencil.weights.begin(), stencil.weights.end());
  const auto taps = n.count() - std::count(weights.begin(), weights.end(), 0.0F);
  if (taps >= kSeparableTaps && separate(stencil)) {
    return {CorrelationScheme::passes, n.z + n.x + n.y};
  }
  if (taps < n.count()) return {CorrelationScheme::taps, taps};
  const detail::Mirrored mirrored = detail::mirrored_dimensions(n, weights);
  if (detail::folding_pays(n, mirrored)) {
    return {CorrelationScheme::folded, detail::folded_size(n, mirrored).count()};
  }
  return {CorrelationScheme::dense, n.count()};
}

}  // namespace aprscope
