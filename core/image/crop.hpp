#pragma once

#include "core/image/region.hpp"
#include "core/image/volume.hpp"

namespace aprscope {

/// The pixels of a box that lies in the image, with their labels, at the place that they had. What
/// was known of labels beside their pixels, of projections and of a reconstruction is that of the
/// whole and left out. Throws std::bad_alloc.
Volume crop(const Volume& volume, const Region& box);

}  // namespace aprscope
