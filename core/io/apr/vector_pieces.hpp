#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/io/common/blosc_packing.hpp"

// One-dimensional datasets of .apr files in pieces, as they are stored.

namespace aprscope {

/// How the values of a dataset are stored: chunks of min(count, 100000) values, as in the reference
/// library's files, packed by blosc.
struct VectorChunks {
  /// `type`: as FieldValues counts them.
  VectorChunks(int type, std::uint64_t count, const BloscPacking& packing);

  int type;
  std::uint64_t count;
  std::uint64_t chunk;
  std::size_t value_bytes;
  BloscPacking packing;
  /// Values in a chunk; the last one may have fewer.
  [[nodiscard]] std::uint64_t values_in(std::uint64_t index) const {
    return count - index * chunk < chunk ? count - index * chunk : chunk;
  }
};

/// Values of one chunk: all of them, packed as they are stored, or some, plain, that others join.
struct VectorPiece {
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
  bool packed = false;
  /// Of a packed one: the mask of filters that were left out, since it did not shrink.
  std::uint32_t skipped = 0;
  std::span<const std::uint8_t> bytes;
};

/// Cuts the values [begin, begin + count) into pieces and gives them to `take`, in order; chunks
/// are packed by all threads. Errors: those of `take`, cancelled. Throws std::bad_alloc.
Status cut_into_pieces(const VectorChunks& chunks, std::uint64_t begin, const void* values,
                       std::uint64_t count,
                       const std::function<Status(const VectorPiece& piece)>& take,
                       const JobContext& context);

/// Packs the values of a chunk, of which there are values_in(); calls `take` once.
Status pack_chunk(const VectorChunks& chunks, std::uint64_t index,
                  std::span<const std::uint8_t> values,
                  const std::function<Status(const VectorPiece& piece)>& take);

}  // namespace aprscope
