#pragma once

#include "core/apr/sample/slice.hpp"

namespace aprscope {

/// A slice of one channel.
struct ChannelPlane {
  int channel = 0;
  Plane plane;
};

}  // namespace aprscope
