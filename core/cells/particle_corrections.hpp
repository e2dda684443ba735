#pragma once

#include <span>

#include "core/apr/structure/access.hpp"
#include "core/cells/corrections.hpp"

namespace aprscope {

/// What a correction changes in the labels of particles: the correction is made on the pixels that
/// particles stand for (each pixel has the label and value of its particle), after which a particle
/// has the label of the middle pixel of its cell (of an even side: the first one after the middle).
/// Only the pixels round what changes are made, and those of the whole image where background is
/// flooded without a radius. `labels`, `values`: one a particle. `records`: where they are known,
/// the boxes of labels are not looked for. Runs of the change are those of particles. Errors and
/// exceptions as those of correction().
Result<LabelChange> particle_correction(const Correction& asked, const AprAccess& access,
                                        const Labels& labels, std::span<const float> values,
                                        const VoxelSize& voxel,
                                        const LabelRecords* records = nullptr,
                                        const JobContext& context = {});

}  // namespace aprscope
