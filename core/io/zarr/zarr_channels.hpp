#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/image/channel_blend.hpp"

// Private to core/io: what OME-NGFF says of channels ("omero").

namespace aprscope {

struct ZarrChannels {
  /// Name of each channel; its number where it has no label.
  std::vector<std::string> names;
  /// Look of each channel; empty where nothing is said of any.
  std::vector<ChannelHint> hints;
};

/// Facts about `count` channels. `attributes`: those of OME-NGFF, see "omero" there; unknown values
/// are left out.
ZarrChannels zarr_channels(const nlohmann::ordered_json& attributes, std::int64_t count);

}  // namespace aprscope
