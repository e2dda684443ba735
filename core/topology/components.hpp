#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/topology/component_lives.hpp"
#include "core/topology/pixel_strata.hpp"
#include "core/topology/strata.hpp"

namespace aprscope {

/// Pieces of the level sets of all levels, and of what they leave over.
struct Components {
  /// At each place in the order of entry: connected pieces of the level set, and of its complement
  /// those that it encloses (in 3-D voids, in 2-D holes).
  std::vector<std::int64_t> pieces;
  std::vector<std::int64_t> enclosed;
  /// The longest lives, see longest_lived().
  std::vector<ComponentLife> lives;
};

/// Which lives are wanted: the `most` longest, by differences of `levels` (one a place).
struct LifeQuery {
  std::size_t most = 0;
  std::span<const double> levels;
};

/// Pieces of the level sets of an image of places below `levels`, whose construction says which
/// voxels touch (an image of one slice is flat). Slices are asked for a few times. Takes 4 bytes a
/// pixel and about 30 a local extremum. Equal for any number of threads. Errors: cancelled, more
/// pixels than check_cell_count() allows. Throws std::bad_alloc.
template <class Place>
Result<Components> find_components(const Size3& size, int levels, const PlaceRows<Place>& rows,
                                   Construction construction, const LifeQuery& query,
                                   const JobContext& context = {});

/// find_components() of the image that particles make when each cell has its particle's value, from
/// the cells themselves. Cells of any size may meet. `places`: one a particle.
Result<Components> find_components(const AprAccess& access, std::span<const std::uint16_t> places,
                                   int levels, Construction construction, const LifeQuery& query,
                                   const JobContext& context = {});

/// Bytes that find_components() takes for an image of noise; `lives`: whether lives are wanted. A
/// checkerboard has three times as many local extrema and takes about twice as much.
std::uint64_t pixel_component_bytes(std::uint64_t pixels, bool lives);
std::uint64_t particle_component_bytes(std::uint64_t particles, bool lives);

}  // namespace aprscope
