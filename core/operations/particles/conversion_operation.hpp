#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/apr/convert/conversion.hpp"
#include "core/dataset/dataset.hpp"
#include "core/io/image_source.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// The parameters of conversion that a complete "convert" operation means. With use_voxel_size,
/// distances are the voxel size ÷ its smallest component, so that thresholds stay in grey values a
/// pixel and an isotropic image converts as without it.
ConversionParameters conversion_parameters(const Operation& convert, const VoxelSize& voxel);

/// Converts an image that is read slice by slice: byte for byte the result of the CPU backend for a
/// "convert" operation on the whole image; `voxel` replaces the file's. Errors: those of
/// convert_slices(), parameters; slices too large for `memory` bytes beside the particles, see
/// check_streamed_memory().
Result<Apr> convert_source(const Operation& convert, SliceSource& source, const VoxelSize& voxel,
                           const JobContext& context = {}, std::uint64_t memory = 0);

/// The facts about particles that a complete "convert" operation made slice by slice, as
/// convert_source() sets them.
Apr streamed_facts(const Operation& complete, Apr converted, const VoxelSize& voxel);

/// The result of a complete "convert" operation on an image from its particles: byte for byte that
/// of the CPU backend, without labels. See build_access() (which gives `used`) and
/// sample_particles().
Apr conversion_result(const Operation& convert, const Volume& image,
                      std::shared_ptr<const AprAccess> access, FieldValues values,
                      const ConversionParameters& used);

/// The conversion among some steps, the last one, if its particles are those that any channel of a
/// time point needs, which all of them share: its index. None: each channel has its own.
std::optional<std::size_t> shared_conversion(const std::vector<Operation>& steps);
/// The steps for a channel alone: conversions give it a structure of its own.
std::vector<Operation> with_own_structure(std::vector<Operation> steps);
/// The particles of an image at the cells of `access`, as a conversion made them at cells of its
/// own, which `own` tells about (parameters, names, history; its structure and fields are not
/// looked at). Errors: the sizes differ, too little memory, cancelled.
Result<Data> particles_at(const Apr& own, std::shared_ptr<const AprAccess> access,
                          const Dataset& image, const JobContext& context);

/// The only channel of an image without channel names is called "0"; in an APR it stays without a
/// name, so that its file has the default channel that other programs look for.
void name_channel(Apr& apr);

/// Gives labels of an image (null: it has none) to particles made of it, and labels of particles to
/// an image made of them at full resolution; without labels the data stay as they are. Errors:
/// cancelled. Throws std::bad_alloc.
Result<Data> with_labels_of(const std::shared_ptr<const Labels>& of_pixels, Apr apr,
                            const JobContext& context);
Result<Data> with_labels_of(const Apr& source, Volume image, const JobContext& context);

}  // namespace aprscope
