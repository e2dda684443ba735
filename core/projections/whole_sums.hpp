#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/scratch_floats.hpp"
#include "core/projections/inserter.hpp"
#include "core/projections/map_solver.hpp"
#include "core/projections/reconstruction_plan.hpp"

namespace aprscope {

/// Bytes of tables, windows and plans of all threads.
inline constexpr std::uint64_t kTableBytes = std::uint64_t{16} << 20U;

/// Bytes of the images that the processor inserts at a time, and of their planes.
std::uint64_t batch_bytes(const ReconstructionPlan& plan);
/// Tiles whose sums fit on the host in so many bytes while images are inserted; at least those of
/// the most passes that are worth it.
std::int64_t slab_tiles(const ReconstructionPlan& plan, std::uint64_t bytes);
/// Bytes of the most passes.
std::uint64_t least_slab_bytes(const ReconstructionPlan& plan);

/// The sums of all tiles that several passes put together, by halves: in memory, or in files.
struct WholeSums {
  std::vector<std::vector<float>> in_memory;
  std::vector<ScratchFloats> in_scratch;

  /// Makes room for all sums, in files if `scratch`. Errors: those of ScratchFloats.
  static Result<WholeSums> create(const InsertionPlan& plan, bool scratch);
  /// Copies the sums of these tiles from an inserter that holds them. Errors: the inserter's.
  Status collect(Inserter& inserter, TileRange tiles);
  /// Hands over the sums that lie in files, for the processor's solver.
  std::vector<std::unique_ptr<HeldSums>> held();

 private:
  std::int64_t stride = 0;
};

}  // namespace aprscope
