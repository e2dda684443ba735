#pragma once

#include <memory>

#include "core/apr/convert/conversion_parameters.hpp"
#include "core/apr/structure/apr.hpp"
#include "core/base/job_context.hpp"

namespace aprscope {

/// The field of a converted APR: the name that pyapr asks for by default.
inline constexpr const char* kParticlesField = "particles";

/// The APR that a conversion made, with all that is known about it; `image` may lack its pixels,
/// `used` holds the thresholds that were applied.
Apr converted_apr(std::shared_ptr<const AprAccess> access, FieldValues values, const Volume& image,
                  const ConversionParameters& used);

}  // namespace aprscope
