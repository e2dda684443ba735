#pragma once

// Private to core/io: how blosc packs.

namespace aprscope {

/// Numbers of blosc's codecs, as files state them.
enum class BloscCodec : unsigned { lz4 = 1, lz4hc = 2, zstd = 5 };

struct BloscPacking {
  BloscCodec codec;
  unsigned level;
};

}  // namespace aprscope
