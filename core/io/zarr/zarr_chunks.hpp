#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/io/zarr/zarr_array.hpp"

// Private to core/io: chunks of a Zarr or N5 array as they lie in memory.

namespace aprscope {

/// A chunk, unpacked, in the byte order of this machine.
struct ZarrChunk {
  /// Whether the chunk is not in the store: all is the fill value, and `bytes` is empty.
  bool missing = false;
  std::vector<std::uint8_t> bytes;
  /// Sides of the chunk and steps between its samples in each dimension of the array. At the end of
  /// an array chunks of N5 may be smaller than others.
  std::vector<std::int64_t> sides;
  std::vector<std::int64_t> steps;
};

/// Reads chunks of one array. Thread-safe.
class ZarrChunks {
 public:
  ZarrChunks(const ZarrStore& store, const ZarrArray& array) : store_(store), array_(array) {}

  /// The chunk at `place`, counted in chunks. Errors name the file: damaged, another size than it
  /// must have, no memory.
  Result<ZarrChunk> read(std::span<const std::int64_t> place) const;

 private:
  struct Shard;
  [[nodiscard]] Result<std::shared_ptr<const Shard>> shard(const std::string& key) const;
  // The packed bytes of a chunk; nothing where it is missing.
  [[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> packed(
      std::span<const std::int64_t> place, std::string& name) const;

  const ZarrStore& store_;
  const ZarrArray& array_;
  mutable std::mutex mutex_;
  // The shards that were used last.
  mutable std::deque<std::shared_ptr<const Shard>> shards_;
};

}  // namespace aprscope
