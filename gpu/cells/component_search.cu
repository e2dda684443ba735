#include "gpu/cells/label_steps.hpp"
#include "gpu/cells/tile_joins.cuh"
#include "gpu/cells/tile_labels.cuh"

namespace aprscope::gpu::labelling {
namespace {

template <Connectivity connectivity, int kDepth>
void search(const LabelJob& job) {
  constexpr int kWide = kRows / kDepth;
  WordGrid grid{job.size, job.row_words, {}};
  grid.tiles = {(grid.size.z + kDepth - 1) / kDepth, (grid.size.x + kWide - 1) / kWide,
                static_cast<int>(grid.row_words)};
  const unsigned tiles = static_cast<unsigned>(grid.tiles.z) * static_cast<unsigned>(grid.tiles.x) *
                         static_cast<unsigned>(grid.tiles.y);
  const auto blocks = [&](unsigned each) {
    return static_cast<unsigned>((std::uint64_t{tiles} * each + kThreads - 1) / kThreads);
  };
  label_tiles<connectivity, kDepth><<<tiles, kThreads, 0, job.stream>>>(
      job.mask, job.inverted, grid, job.labels, job.bits, job.nodes);
  ensure_launched(kWhat);
  if (grid.tiles.y > 1) {
    join_ends<connectivity, kDepth>
        <<<blocks(kRows), kThreads, 0, job.stream>>>(job.bits, grid, job.labels);
    ensure_launched(kWhat);
  }
  constexpr unsigned kKinds = kDepth == 1 || connectivity == Connectivity::faces ? 1 : 3;
  join_tiles<connectivity, kDepth>
      <<<dim3(blocks(kPairs), kKinds), kThreads, 0, job.stream>>>(job.bits, grid, job.labels);
  ensure_launched(kWhat);
}

}  // namespace

void find_components(const LabelJob& job, Connectivity connectivity) {
  const bool flat = job.size.z == 1;
  switch (connectivity) {
    case Connectivity::faces:
      flat ? search<Connectivity::faces, 1>(job) : search<Connectivity::faces, 8>(job);
      break;
    case Connectivity::edges:
      flat ? search<Connectivity::edges, 1>(job) : search<Connectivity::edges, 8>(job);
      break;
    case Connectivity::corners:
      // In a single slice edge and corner neighbours are the same, so the cheaper kernel does.
      flat ? search<Connectivity::edges, 1>(job) : search<Connectivity::corners, 8>(job);
      break;
  }
}

}  // namespace aprscope::gpu::labelling
