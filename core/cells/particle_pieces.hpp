#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/apr/structure/access.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/cells/particle_runs.hpp"
#include "core/image/labels.hpp"

namespace aprscope {

/// Pieces of a set of particles, as runs.
struct ParticlePieces {
  /// The number of the piece of each run: from 1 on without gaps, in the order of the first pixel
  /// (z, x, y) of pieces; 0: the run is connected to the outside of the image.
  Scratch<std::uint32_t> number;
  /// Pixels of each piece, clipped to the image; [0] of what lies outside.
  std::vector<std::uint64_t> pixels;
};

/// The connected pieces of runs, whose cells touch; `outside`: all that touches the border of the
/// image is one piece (see LayerGeometry::on_border()). Equal for any number of threads. Errors:
/// cancelled. Throws std::bad_alloc.
Result<ParticlePieces> find_pieces(const AprAccess& access, const ParticleRuns& runs,
                                   Connectivity connectivity, bool outside,
                                   const JobContext& context = {});

/// Writes what `of` says of a piece to all particles of it; `values` has one value a particle.
/// Particles without a run keep theirs.
template <class Of>
bool paint_pieces(const ParticleRuns& runs, const ParticlePieces& pieces,
                  std::vector<std::uint32_t>& values, const JobContext& context, const Of& of) {
  constexpr std::int64_t kRuns = 1 << 14;
  const auto count = static_cast<std::int64_t>(runs.count());
  const std::span<const ParticleRun> all = runs.all();
  return parallel_items((count + kRuns - 1) / kRuns, threads_for(count), context, "labels",
                        [&](std::int64_t item, int) {
                          const std::int64_t end = std::min(count, (item + 1) * kRuns);
                          for (std::int64_t r = item * kRuns; r < end; ++r) {
                            const ParticleRun& run = all[static_cast<std::size_t>(r)];
                            std::fill_n(values.data() + run.begin, run.count(),
                                        of(pieces.number.data()[r]));
                          }
                        });
}

}  // namespace aprscope
