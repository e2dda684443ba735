#pragma once

#include "core/io/common/format.hpp"

namespace aprscope {

/// Tables of projections as a format of images: slices are the images of the table's rows, in its
/// order and as they were recorded, the first ones where all would take more than 256 MiB. The
/// volume has the whole table, see Volume::projections.
Format projection_format();

}  // namespace aprscope
