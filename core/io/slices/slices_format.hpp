#pragma once

#include "core/io/common/format.hpp"

namespace aprscope {

/// Folders of TIFF files, a slice each.
Format slices_format();

}  // namespace aprscope
