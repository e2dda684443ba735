#include "core/maps/soft_mask.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/base/parallel.hpp"
#include "core/maps/raised_cosine.hpp"

namespace aprscope {
namespace {

constexpr float kLeastInMask = 0.01F;

// Facts about one plane of the mask; planes are added up in order afterwards.
struct PlaneFacts {
  double sum = 0.0;
  float steepest = 0.0F;
  float lowest = std::numeric_limits<float>::infinity();
  float highest = -std::numeric_limits<float>::infinity();
  bool border = false;
};

}  // namespace

std::vector<float> soft_mask(std::span<const float> squared_distances, double extend, double edge) {
  std::vector<float> mask(squared_distances.size());
  const auto count = static_cast<std::int64_t>(mask.size());
  parallel_for(count, threads_for(count), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    const double distance = std::sqrt(static_cast<double>(squared_distances[at]));
    mask[at] = static_cast<float>(raised_cosine(distance, extend, extend + edge));
  });
  return mask;
}

MaskFacts mask_facts(std::span<const float> mask, std::int64_t side) {
  std::vector<PlaneFacts> planes(static_cast<std::size_t>(side));
  parallel_for(side, threads_for(side * side * side), [&](std::int64_t z) {
    PlaneFacts& own = planes[static_cast<std::size_t>(z)];
    for (std::int64_t y = 0; y < side; ++y) {
      for (std::int64_t x = 0; x < side; ++x) {
        const float* const at = mask.data() + (z * side + y) * side + x;
        own.sum += static_cast<double>(*at);
        own.lowest = std::min(own.lowest, *at);
        own.highest = std::max(own.highest, *at);
        if (x + 1 < side) own.steepest = std::max(own.steepest, std::abs(at[1] - *at));
        if (y + 1 < side) own.steepest = std::max(own.steepest, std::abs(at[side] - *at));
        if (z + 1 < side) own.steepest = std::max(own.steepest, std::abs(at[side * side] - *at));
        const bool rim = std::min({x, y, z}) == 0 || std::max({x, y, z}) == side - 1;
        own.border = own.border || (rim && *at > kLeastInMask);
      }
    }
  });
  PlaneFacts all;
  for (const PlaneFacts& plane : planes) {
    all.sum += plane.sum;
    all.steepest = std::max(all.steepest, plane.steepest);
    all.lowest = std::min(all.lowest, plane.lowest);
    all.highest = std::max(all.highest, plane.highest);
    all.border = all.border || plane.border;
  }
  MaskFacts facts;
  facts.edge = all.steepest > 0.0F
                   ? std::max(1.0, std::numbers::pi / 2.0 / static_cast<double>(all.steepest))
                   : std::numeric_limits<double>::infinity();
  facts.touches_border = all.border;
  facts.share = all.sum / static_cast<double>(mask.size());
  facts.lowest = all.lowest;
  facts.highest = all.highest;
  return facts;
}

}  // namespace aprscope
