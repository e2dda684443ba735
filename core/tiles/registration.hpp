#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/apr/convert/slice_source.hpp"
#include "core/base/job_context.hpp"
#include "core/tiles/placement.hpp"

namespace aprscope {

/// A tile to register: what it shows, and where the stage says that it lies.
struct TileToPlace {
  Size3 size{1, 1, 1};
  TilePosition position{0.0, 0.0, 0.0};
  /// Opens its slices. Errors name the file.
  std::function<Result<std::unique_ptr<SliceSource>>()> open;
};

struct RegistrationOptions {
  /// Pixels that tiles may lie off the places that they are said to have, in each direction.
  std::int64_t most = 50;
  /// Correlation coefficient from which on what two tiles share counts.
  double least_correlation = 0.3;
};

/// What was found of two tiles that overlap.
struct RegisteredPair {
  TileLink link;
  double correlation = 0.0;
  /// How far the link is from the positions in the end, in pixels.
  double off = 0.0;
};

struct TileRegistration {
  /// As near to whole pixels as they can be together.
  std::vector<TilePosition> positions;
  /// All pairs that overlap. Those that do not count have weight 0.
  std::vector<RegisteredPair> pairs;
};

/// Finds where tiles lie: phase correlation of maximum projections, along all three dimensions, of
/// what each two of them share (see flat_shift()), and the positions that fit all of these best
/// (see place_tiles()). Each tile is read once, and a few projections are in memory. Errors: those
/// of reading, more than half a million pairs that overlap, no memory, cancelled.
Result<TileRegistration> register_tiles(const std::vector<TileToPlace>& tiles,
                                        const RegistrationOptions& options,
                                        const JobContext& context = {});

}  // namespace aprscope
