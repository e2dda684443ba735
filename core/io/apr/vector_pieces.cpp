#include "core/io/apr/vector_pieces.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <vector>

#include "core/base/ordered_pipeline.hpp"
#include "core/io/hdf5/hdf5_blosc.hpp"

namespace aprscope {
namespace {

constexpr std::uint64_t kChunkValues = 100000;  // what the reference library uses
constexpr std::size_t kTypeSizes[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8};

static_assert(std::endian::native == std::endian::little, "chunks are written as they are");

// A chunk on its way to the file.
class Chunk {
 public:
  // `values` fill a chunk of `bytes` bytes, but for the end of the last one, which is zeros.
  void pack(std::span<const std::uint8_t> values, std::size_t bytes, std::size_t type_size,
            const BloscPacking& packing) {
    plain_.assign(values.begin(), values.end());
    plain_.resize(bytes);
    packed_.resize(bytes);
    packed_.resize(blosc_pack_chunk(plain_, type_size, packing, packed_));
  }
  [[nodiscard]] VectorPiece piece(const VectorChunks& chunks, std::uint64_t index) const {
    VectorPiece piece;
    piece.begin = index * chunks.chunk;
    piece.count = chunks.values_in(index);
    piece.packed = true;
    piece.skipped = packed_.empty() ? 1 : 0;
    piece.bytes = packed_.empty() ? plain_ : packed_;
    return piece;
  }

 private:
  std::vector<std::uint8_t> plain_, packed_;
};

}  // namespace

VectorChunks::VectorChunks(int value_type, std::uint64_t values, const BloscPacking& how)
    : type(value_type),
      count(values),
      chunk(std::min(values, kChunkValues)),
      value_bytes(kTypeSizes[value_type]),
      packing(how) {}

Status cut_into_pieces(const VectorChunks& chunks, std::uint64_t begin, const void* values,
                       std::uint64_t count,
                       const std::function<Status(const VectorPiece& piece)>& take,
                       const JobContext& context) {
  const auto* bytes = static_cast<const std::uint8_t*>(values);
  const std::uint64_t end = begin + count;
  const auto part = [&](std::uint64_t to) -> Status {
    if (begin >= to) return {};
    const VectorPiece piece{
        begin, to - begin, false, 0, {bytes, (to - begin) * chunks.value_bytes}};
    bytes += piece.bytes.size();
    begin = to;
    return take(piece);
  };
  // Up to the first whole chunk, then whole chunks, then what is left.
  const std::uint64_t first = (begin + chunks.chunk - 1) / chunks.chunk;
  if (Status done = part(std::min(end, first * chunks.chunk)); !done || begin == end) return done;
  const std::uint64_t whole =
      end == chunks.count ? (end + chunks.chunk - 1) / chunks.chunk : end / chunks.chunk;
  if (whole > first) {
    const auto items = static_cast<std::int64_t>(whole - first);
    Status done = ordered_pipeline<Chunk>(
        items, threads_for(items * static_cast<std::int64_t>(chunks.chunk)), context,
        [&](std::int64_t i, int, Chunk& item) {
          const auto at = static_cast<std::uint64_t>(i);
          item.pack({bytes + at * chunks.chunk * chunks.value_bytes,
                     chunks.values_in(first + at) * chunks.value_bytes},
                    chunks.chunk * chunks.value_bytes, chunks.value_bytes, chunks.packing);
        },
        [&](std::int64_t i, const Chunk& item) -> Status {
          Status taken = take(item.piece(chunks, first + static_cast<std::uint64_t>(i)));
          if (taken) {
            context.report(static_cast<double>(i + 1) / static_cast<double>(items), "writing");
          }
          return taken;
        });
    if (!done) return done;
    const std::uint64_t to = std::min(end, whole * chunks.chunk);
    bytes += (to - begin) * chunks.value_bytes;
    begin = to;
  }
  return part(end);
}

Status pack_chunk(const VectorChunks& chunks, std::uint64_t index,
                  std::span<const std::uint8_t> values,
                  const std::function<Status(const VectorPiece& piece)>& take) {
  Chunk whole;
  whole.pack(values, chunks.chunk * chunks.value_bytes, chunks.value_bytes, chunks.packing);
  return take(whole.piece(chunks, index));
}

}  // namespace aprscope
