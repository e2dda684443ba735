#pragma once

#include <vector>

#include "core/projections/inserter.hpp"

namespace aprscope {

/// Cuts tiles into `parts` ranges, in order, which take about as long each: a plane through the
/// origin meets a tile the more likely the nearer it lies. With more parts than tiles the last ones
/// are empty.
std::vector<TileRange> balanced_ranges(const FrequencyTiles& tiles, TileRange range, int parts);

/// One inserter out of several that work at the same time, on devices of their own: each gets all
/// images and has a share of the tiles, so that the sums are the same bytes as those of a single
/// one if all take as many images at a time. Each factory makes the inserter of its device; one
/// without room for its share makes all shares smaller (see Inserter::fitting()). The solver is
/// that of the first, which gets the sums of the others by way of the host. Errors: those of the
/// factories.
Result<std::unique_ptr<Inserter>> make_split_inserter(const InsertionPlan& plan,
                                                      const std::vector<InserterFactory>& places,
                                                      const JobContext& context);

}  // namespace aprscope
