#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/base/disk_floats.hpp"
#include "core/deconvolution/iterate/regulariser.hpp"
#include "core/io/apr/apr_slabs.hpp"
#include "core/operations/engine/slab_plan.hpp"
#include "core/operations/filter/slab_filter.hpp"

namespace aprscope {

/// Bytes that a slab takes for each particle of the lists on the disk, while it is worked on.
inline constexpr std::uint64_t kBytesOfLists = 2 * sizeof(float);

/// Filters all particles of a file, slab by slab, from one list of values on a disk to another.
/// One thread at a time.
class SlabSweeps {
 public:
  /// Told how much of a sweep is done, in [0, 1].
  using Progress = std::function<void(double part)>;

  /// All of these must outlive it; the file has read the levels to the plan's coarsest. `room`:
  /// that of this plan.
  SlabSweeps(AprFileSlabs& file, const SlabPlan& slabs, SlabRoom& room, DiskFloats& disk,
             Progress progress = {})
      : file_(file), slabs_(slabs), room_(room), disk_(disk), progress_(std::move(progress)) {}

  [[nodiscard]] const AprFileSlabs& file() const { return file_; }

  /// Filters `x` to `y`, one value a particle; they do not overlap. Errors: those of
  /// SlabFilter::run().
  Status sweep(const FilterAprPart& filter, std::span<const float> x, std::span<float> y,
               const JobContext& context);

  /// Puts `x` and, if wanted, the means of it on the tree.
  Status put(std::span<const float> x, bool with_tree, AprValueSink& sink,
             const JobContext& context);

 private:
  Status run(SlabWork work, std::span<const float> x, AprValueSink& sink,
             const JobContext& context);

  AprFileSlabs& file_;
  const SlabPlan& slabs_;
  SlabRoom& room_;
  DiskFloats& disk_;
  Progress progress_;
};

/// make_particle_blur() of the particles of a file, with the PSF restricted to each level: the same
/// values. `weights`: cell_volumes() of them. Errors: a PSF that check() refuses.
Result<std::unique_ptr<BlurModel>> make_slab_blur(SlabSweeps& sweeps, const Stencil& psf,
                                                  Boundary boundary,
                                                  std::vector<WeightRun> weights);

/// make_particle_regulariser() of the particles of a file; null for Regularisation::none.
std::unique_ptr<Regulariser> make_slab_regulariser(SlabSweeps& sweeps, Regularisation kind);

/// Slices that they reach over, to either side, on the levels from `coarsest` on.
std::int64_t slices_reached(const Stencil& psf, Boundary boundary, int level_max, int coarsest);

}  // namespace aprscope
