#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/dataset/dataset.hpp"
#include "core/operations/schema/operation.hpp"

namespace aprscope {

/// The parameters of operation "deconvolve" that say what in an image is no light of the specimen:
/// offset and offset_auto, background and background_file.
std::vector<ParameterSpec> background_parameters();

/// guess_offset() of an image, or of the particles of an APR, each as often as it covers pixels; 0
/// where they have no values.
/// Reads the values once or twice; throws std::bad_alloc.
double guess_offset(const Dataset& input);

/// A complete operation with this guess in the place of offset_auto.
Operation with_offset(Operation complete, double guess);

/// A complete operation with words such as "automatic" replaced by numbers for this data:
/// offset_auto becomes the guess, so that history and recipe say what was subtracted; a background
/// that does not count beside a file becomes 0; a photon gain that is needed becomes the guess, see
/// with_photon_gain(). Throws std::bad_alloc.
Operation with_guesses(Operation complete, const Dataset& input);

/// A background image as one value for each value of the input. Pixels on pixels, as they are; on
/// particles the means over their cells, as conversion samples them. An APR is taken as its
/// particles where it has the structure of the input, else as its piecewise constant image.
/// Errors: another size, another voxel size where both are lengths (by more than 1 %), values that
/// are negative or not finite, no values, no memory, cancelled.
Result<std::shared_ptr<const std::vector<float>>> background_values(
    const std::shared_ptr<const Dataset>& background, const Dataset& input,
    const JobContext& context);

}  // namespace aprscope
