#pragma once

#include <memory>

#include "core/apr/raycast/raycast.hpp"

namespace aprscope {

/// The raycaster of one channel.
struct ChannelVolume {
  int channel = 0;
  std::shared_ptr<const Raycaster> raycaster;
  friend bool operator==(const ChannelVolume&, const ChannelVolume&) = default;
};

}  // namespace aprscope
