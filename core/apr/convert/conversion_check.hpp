#pragma once

#include "core/apr/convert/conversion.hpp"

namespace aprscope {

/// Refuses sizes and parameters that no APR can be made with; the error names the parameter.
Status check_conversion(const Size3& size, const ConversionParameters& parameters);

/// The error of a conversion that ran out of memory.
Error not_enough_memory(const Size3& size);

}  // namespace aprscope
