#pragma once

#include <cstddef>
#include <cstdint>

#include "core/apr/convert/conversion_parameters.hpp"
#include "core/base/job_context.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// Refuses sizes and parameters that no APR can be made with; the error names the parameter.
Status check_conversion(const Size3& size, const ConversionParameters& parameters);

/// Bytes that convert() takes at most, the image included, for size and bytes a sample.
std::uint64_t conversion_bytes(const Size3& size, std::size_t bytes_a_sample);

/// The error of a conversion that ran out of memory.
Error not_enough_memory(const Size3& size);

}  // namespace aprscope
