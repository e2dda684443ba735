#pragma once

#include <vector>

#include "core/apr/bit_grid.hpp"
#include "core/apr/conversion.hpp"
#include "core/apr/conversion_kernels.hpp"
#include "core/apr/thresholds.hpp"

namespace aprscope {

/// The local level of a voxel, L = floor(log2(2^level_max · min(d) · |∇| / (σ E))) after the
/// thresholds, clamped to [1, level_max − 1]; needs level_max ≥ 2. `parameters` holds the
/// thresholds to apply.
class LevelRule {
 public:
  LevelRule(const ConversionParameters& parameters, int level_max);
  void apply(const MaskedVoxels& voxels, std::uint8_t* levels) const;
  /// What the kernel needs, without voxels; `noise` as in MaskedVoxels.
  [[nodiscard]] LevelRow row(float noise) const;

 private:
  ConversionParameters parameters_;
  int level_max_;
  float factor_;
};

/// The local levels of all voxels of the half grid, in parallel. False when cancelled.
bool local_levels(const MaskedVoxels& voxels, const LevelRule& rule, std::uint8_t* levels,
                  const JobContext& context);
bool local_levels(const GradientScale& input, const ConversionParameters& parameters, int level_max,
                  Pixels<std::uint8_t>& levels, const JobContext& context);

/// The outcome of the pulling scheme: which cells are particles.
struct CellSet {
  /// Particles of level l at [l], 1 ≤ l < level_max; [0] is unused.
  std::vector<BitGrid> cells;
  /// Cells of level_max − 1 whose pixels are the particles of level_max.
  BitGrid refined;
};

/// The optimal valid cell set of a local level map (Cheeseman et al. 2018, pulling scheme) with the
/// full 26-neighbourhood, then cells to particles: each seed is refined one level, boundary and
/// filler cells are kept (boundary cells are refined too if `neighbourhood_optimisation` is off).
/// `levels` is on the half grid of an image of `size`, values 1 … level_max − 1. Throws
/// std::bad_alloc. False when cancelled.
bool pulling_scheme(const Pixels<std::uint8_t>& levels, const Size3& size, int level_max,
                    bool neighbourhood_optimisation, CellSet& out, const JobContext& context);

/// The linear access of a cell set. Throws std::bad_alloc.
Result<LinearAccess> particles_of(const CellSet& set, const Size3& size, int level_max,
                                  const JobContext& context);

}  // namespace aprscope
