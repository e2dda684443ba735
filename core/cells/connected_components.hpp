#pragma once

#include <cstdint>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/labels.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// The connected components of a mask (not zero: object; order z, x, y), numbered from 1 on in the
/// order of their first pixel, as scipy.ndimage.label does. In an image of one slice edges and
/// corners are alike. The same bytes for any number of threads. Errors: cancelled, more components
/// than u32 tells apart. Throws std::bad_alloc.
Result<Labels> connected_components(const Pixels<std::uint8_t>& mask, Connectivity connectivity,
                                    const JobContext& context = {});

/// Bytes that connected_components() takes at most, labels included.
std::uint64_t component_label_bytes(const Size3& size);

}  // namespace aprscope
