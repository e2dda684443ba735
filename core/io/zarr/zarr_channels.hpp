#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/image/channel_blend.hpp"

// Private to core/io: what OME-NGFF says of channels ("omero").

namespace aprscope {

struct ZarrChannels {
  /// One a channel; its number where it has no label.
  std::vector<std::string> names;
  /// One a channel; none where nothing is said of any.
  std::vector<ChannelHint> hints;
};

/// Of `count` channels. `attributes`: those of OME-NGFF, see "omero" there; what is not understood
/// is left out.
ZarrChannels zarr_channels(const nlohmann::ordered_json& attributes, std::int64_t count);

}  // namespace aprscope
