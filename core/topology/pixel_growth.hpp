#pragma once

#include "core/topology/cell_links.hpp"
#include "core/topology/growth.hpp"
#include "core/topology/pixel_strata.hpp"

namespace aprscope {

/// Which cells grow together, and in which order.
struct GrowthRule {
  const Neighbourhood* near = &kByAll;
  /// Whether cells enter from the last place to the first, after all that lies outside. Places are
  /// then counted from the last one.
  bool falling = false;
};

/// The rules for the level sets of a construction and for what they leave over.
GrowthRule rule_of_sets(Construction construction);
GrowthRule rule_of_rest(Construction construction);

/// How an image of places below `levels` grows; cells are pixels in the order z, x, y. See
/// find_components() for the rest.
template <class Place>
Result<Growth> grow_pixels(const Size3& size, int levels, const PlaceRows<Place>& rows,
                           const GrowthRule& rule, const JobContext& context = {});

}  // namespace aprscope
