#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/result.hpp"
#include "core/io/common/samples.hpp"
#include "core/io/zarr/zarr_codec.hpp"
#include "core/io/zarr/zarr_node.hpp"
#include "core/io/zarr/zarr_store.hpp"

// Private to core/io: the metadata of a Zarr or N5 array.

namespace aprscope {

/// Chunks that stand together in one file, behind or before a list of where they are.
struct ZarrShards {
  /// Chunks of a shard in each dimension.
  std::vector<std::int64_t> chunks;
  bool list_at_end = true;
  bool list_has_checksum = false;
};

/// Sizes are in the order of the array's dimensions, slowest first, for N5 too (which names them
/// the other way round).
struct ZarrArray {
  ZarrKind kind = ZarrKind::zarr2;
  /// The folder of the array in its store.
  std::string key;
  std::vector<std::int64_t> shape;
  /// Size of one chunk that is packed by itself.
  std::vector<std::int64_t> chunk;
  SampleType type;
  /// Reading, samples that are not 0 or 1 are what the file says (u8).
  bool big_endian = false;
  /// The dimension that is slowest in the bytes of a chunk, the next, ….
  std::vector<int> order;
  /// The fill value, in the byte order of this machine: the sample in all missing chunks.
  std::vector<std::uint8_t> fill;
  /// Codecs in the order in which they packed.
  std::vector<ZarrCodec> codecs;
  std::optional<ZarrShards> shards;
  /// Between the numbers of a chunk in its name.
  char separator = '.';
  /// Zarr 3: whether keys of chunks begin with "c/".
  bool prefixed = false;
  /// Names of its dimensions, "" where unknown; as many as dimensions.
  std::vector<std::string> dimension_names;

  [[nodiscard]] std::size_t sample_bytes() const { return static_cast<std::size_t>(type.bits) / 8; }
  /// Bytes of an unpacked chunk.
  [[nodiscard]] std::size_t chunk_bytes() const;
};

/// Errors name what is wrong or what is not supported: codecs, filters, data types, and chunks of
/// more than 1 GiB.
Result<ZarrArray> zarr_array(const ZarrStore& store, const std::string& key, const ZarrNode& node);

/// A list of whole numbers from 1 on, `rank` of them unless 0; nothing for anything else.
std::optional<std::vector<std::int64_t>> extents(const nlohmann::ordered_json& object,
                                                 const char* name, std::size_t rank);

}  // namespace aprscope
