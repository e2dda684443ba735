#pragma once

#include "core/io/common/format.hpp"

namespace aprscope {

/// Maps and stacks of electron microscopy: MRC2014 and older, CCP4, also packed.
Format mrc_format();

}  // namespace aprscope
