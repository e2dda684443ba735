#pragma once

#include <cstdint>

#include "core/apr/convert/conversion_parameters.hpp"
#include "core/apr/convert/slice_source.hpp"
#include "core/base/result.hpp"

namespace aprscope {

/// Bytes that SliceConversion takes of an image of this size and type: the slices and the planes
/// of coefficients that smoothing reaches over, which grow with the area of a slice, and the bits
/// of the cells. Throws std::bad_alloc.
std::uint64_t streamed_conversion_bytes(const Size3& size, SampleKind kind,
                                        const ConversionParameters& parameters);

/// Refuses an image that cannot be converted slice by slice within `memory` bytes, see
/// most_within(); 0: what is free, as far as the system tells. Throws std::bad_alloc.
Status check_streamed_memory(const SliceSource& source, const ConversionParameters& parameters,
                             std::uint64_t memory);

}  // namespace aprscope
