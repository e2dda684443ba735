#pragma once

#include "core/image/region.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// The pixels of a box that lies in the image, with their labels; their position is kept. Findings
/// about labels, projections and a reconstruction belong to the whole image and are left out.
/// Throws std::bad_alloc.
Volume crop(const Volume& volume, const Region& box);

}  // namespace aprscope
