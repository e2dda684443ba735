#pragma once

#include "core/io/common/format.hpp"

namespace aprscope {

/// BigDataViewer: an XML file that describes images in HDF5 or N5 beside it.
Format bdv_format();

}  // namespace aprscope
