#pragma once

#include "core/apr/convert/conversion.hpp"
#include "core/io/image_source.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// The parameters of conversion that a complete "convert" operation stands for. With
/// use_voxel_size, distances are the voxel size ÷ its smallest component, so that thresholds stay
/// in grey values a pixel and an isotropic image converts as without it.
ConversionParameters conversion_parameters(const Operation& convert, const VoxelSize& voxel);

/// What the CPU backend makes of a "convert" operation on the whole image, byte for byte, from an
/// image that is read slice by slice; `voxel` counts instead of the file's. Errors: those of
/// convert_slices(), parameters.
Result<Apr> convert_source(const Operation& convert, SliceSource& source, const VoxelSize& voxel,
                           const JobContext& context = {});

/// What is known about particles that came of a complete "convert" operation, read slice by slice,
/// as convert_source() says it.
Apr streamed_facts(const Operation& complete, Apr converted, const VoxelSize& voxel);

/// What the CPU backend makes of a complete "convert" operation on an image, byte for byte and but
/// for labels, from its particles, see build_access() (which says what was `used`) and
/// sample_particles().
Apr conversion_result(const Operation& convert, const Volume& image,
                      std::shared_ptr<const AprAccess> access, FieldValues values,
                      const ConversionParameters& used);

/// The only channel of an image without channel names is called "0"; in an APR it stays without a
/// name, so that its file has the default channel that other programs look for.
void name_channel(Apr& apr);

/// Particles that were made of an image get its labels (null: it has none), and an image that was
/// made of particles at full resolution theirs; what has none stays as it is. Errors: cancelled.
/// Throws std::bad_alloc.
Result<Data> with_labels_of(const std::shared_ptr<const Labels>& of_pixels, Apr apr,
                            const JobContext& context);
Result<Data> with_labels_of(const Apr& source, Volume image, const JobContext& context);

}  // namespace aprscope
