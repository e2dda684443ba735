#pragma once

#include "core/io/common/format.hpp"

namespace aprscope {

/// Maps, images and stacks of SPIDER.
Format spider_format();

}  // namespace aprscope
