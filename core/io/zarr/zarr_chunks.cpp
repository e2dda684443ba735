#include "core/io/zarr/zarr_chunks.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/base/memory_error.hpp"

namespace aprscope {
namespace {

// Bytes that an incompressible chunk may take beyond its own.
constexpr std::uint64_t kOverhead = std::uint64_t{1} << 16;
// Bytes of lists of shards that are kept beside the last one.
constexpr std::size_t kKeptBytes = std::size_t{64} << 20;
constexpr std::uint64_t kMissing = UINT64_MAX;

Error damaged(const std::string& name, const char* what = "is damaged") {
  return {what, name, "get the data again from its source"};
}

std::uint64_t big_endian(std::span<const std::uint8_t> bytes) {
  std::uint64_t value = 0;
  for (const std::uint8_t byte : bytes) value = value << 8U | byte;
  return value;
}

std::string chunk_key(const ZarrArray& array, std::span<const std::int64_t> place) {
  std::string name;
  if (array.prefixed) name = "c";
  const auto add = [&](std::int64_t number) {
    if (!name.empty()) name += array.separator;
    name += std::to_string(number);
  };
  if (array.kind == ZarrKind::n5) {
    for (std::size_t d = place.size(); d-- > 0;) add(place[d]);
  } else {
    for (const std::int64_t number : place) add(number);
  }
  return joined_key(array.key, name);
}

// Steps between samples of a chunk whose bytes lie in the array's order.
std::vector<std::int64_t> steps_of(const std::vector<std::int64_t>& sides,
                                   const std::vector<int>& order) {
  std::vector<std::int64_t> steps(sides.size());
  std::int64_t step = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    const auto d = static_cast<std::size_t>(order[i]);
    steps[d] = step;
    step *= sides[d];
  }
  return steps;
}

std::uint64_t bytes_of(const std::vector<std::int64_t>& sides, std::size_t sample) {
  std::uint64_t bytes = sample;
  for (const std::int64_t side : sides) bytes *= static_cast<std::uint64_t>(side);
  return bytes;
}

// A block of N5 begins with its own sides: a mode, the number of dimensions, the dimensions (the
// fastest first), and in mode 1 the number of samples.
bool take_header_off(std::vector<std::uint8_t>& bytes, const ZarrArray& array,
                     std::vector<std::int64_t>& sides) {
  const std::span<const std::uint8_t> all(bytes);
  const std::size_t rank = array.shape.size();
  std::size_t head = 4 + 4 * rank;
  if (all.size() < head) return false;
  const std::uint64_t mode = big_endian(all.first(2));
  if (mode > 1 || big_endian(all.subspan(2, 2)) != rank) return false;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t d = rank - 1 - i;
    sides[d] = static_cast<std::int64_t>(big_endian(all.subspan(4 + 4 * i, 4)));
    if (sides[d] < 1 || sides[d] > array.chunk[d]) return false;
  }
  if (mode == 1) {
    head += 4;
    if (all.size() < head) return false;
    const std::uint64_t samples = big_endian(all.subspan(head - 4, 4));
    if (samples * array.sample_bytes() != bytes_of(sides, array.sample_bytes())) return false;
  }
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(head));
  return true;
}

}  // namespace

// A file of many chunks, and where each of them lies in it.
struct ZarrChunks::Shard {
  std::string key;
  // The open file of the shard; none: it does not exist.
  std::optional<RegularFile> file;
  FileState state;
  // Offset and bytes of each chunk.
  std::vector<std::uint64_t> list;
};

Result<std::shared_ptr<const ZarrChunks::Shard>> ZarrChunks::shard(const std::string& key) const {
  // Other threads wait here, so that each shard's index is read once.
  const std::lock_guard lock(mutex_);
  for (const auto& kept : shards_) {
    if (kept->key == key) return kept;
  }
  auto made = std::make_shared<Shard>();
  made->key = key;
  auto file = store_.find(key);
  if (!file) return file.error();
  if (*file) {
    made->file = **std::move(file);
    const std::string name = made->file->path().string();
    const auto state = made->file->state();
    if (!state) return state.error();
    made->state = *state;
    const ZarrShards& shards = *array_.shards;
    std::uint64_t chunks = 1;
    for (const std::int64_t count : shards.chunks) chunks *= static_cast<std::uint64_t>(count);
    const std::uint64_t list_bytes = 16 * chunks + (shards.list_has_checksum ? 4 : 0);
    if (list_bytes > made->state.bytes) return damaged(name, "is cut off");
    std::vector<std::uint8_t> bytes(list_bytes);
    const auto got = made->file->read_at(shards.list_at_end ? made->state.bytes - list_bytes : 0,
                                         bytes.data(), bytes.size());
    if (!got) return got.error();
    if (*got != bytes.size()) return damaged(name, "is cut off");
    if (shards.list_has_checksum) {
      std::vector<std::uint8_t> plain;
      if (!unpack(ZarrCodec::crc32c, bytes, bytes.size(), plain)) return damaged(name);
      bytes = std::move(plain);
    }
    made->list.resize(2 * chunks);
    std::memcpy(made->list.data(), bytes.data(), 16 * chunks);
  }
  std::size_t kept = 0;
  for (const auto& other : shards_) kept += other->list.size() * sizeof(std::uint64_t);
  for (; kept > kKeptBytes; shards_.pop_front()) {
    kept -= shards_.front()->list.size() * sizeof(std::uint64_t);
  }
  shards_.push_back(made);
  return std::shared_ptr<const Shard>(std::move(made));
}

Result<std::optional<std::vector<std::uint8_t>>> ZarrChunks::packed(
    std::span<const std::int64_t> place, std::string& name) const {
  using Bytes = std::optional<std::vector<std::uint8_t>>;
  // At most what a chunk takes that does not shrink.
  const std::uint64_t most = array_.chunk_bytes() + array_.chunk_bytes() / 8 + kOverhead;
  if (!array_.shards) {
    const std::string key = chunk_key(array_, place);
    name = (store_.path() / key).string();
    return store_.read(key, most);
  }
  const ZarrShards& shards = *array_.shards;
  std::vector<std::int64_t> of_shard(place.size());
  std::uint64_t inside = 0;
  for (std::size_t d = 0; d < place.size(); ++d) {
    of_shard[d] = place[d] / shards.chunks[d];
    inside = inside * static_cast<std::uint64_t>(shards.chunks[d]) +
             static_cast<std::uint64_t>(place[d] % shards.chunks[d]);
  }
  const std::string key = chunk_key(array_, of_shard);
  name = (store_.path() / key).string();
  const auto found = shard(key);
  if (!found) return found.error();
  if (!(*found)->file) return Bytes();
  const std::uint64_t offset = (*found)->list[2 * inside];
  const std::uint64_t bytes = (*found)->list[2 * inside + 1];
  if (offset == kMissing && bytes == kMissing) return Bytes();
  if (bytes > most || offset > (*found)->state.bytes || bytes > (*found)->state.bytes - offset) {
    return damaged(name);
  }
  std::vector<std::uint8_t> read(bytes);
  const auto got = (*found)->file->read_at(offset, read.data(), read.size());
  if (!got) return got.error();
  if (Status same = unchanged(*(*found)->file, (*found)->state); !same) return same.error();
  if (*got != read.size()) return damaged(name, "is cut off");
  return Bytes(std::move(read));
}

Result<ZarrChunk> ZarrChunks::read(std::span<const std::int64_t> place) const {
  std::string name = store_.path().string();
  return with_memory_errors(name, [&]() -> Result<ZarrChunk> {
    ZarrChunk chunk;
    chunk.sides = array_.chunk;
    auto bytes = packed(place, name);
    if (!bytes) return bytes.error();
    if (!*bytes) {
      chunk.missing = true;
      chunk.steps = steps_of(chunk.sides, array_.order);
      return chunk;
    }
    std::vector<std::uint8_t> now = **std::move(bytes);
    if (array_.kind == ZarrKind::n5 && !take_header_off(now, array_, chunk.sides)) {
      return damaged(name);
    }
    const std::uint64_t wanted = bytes_of(chunk.sides, array_.sample_bytes());
    std::vector<std::uint8_t> plain;
    for (std::size_t i = array_.codecs.size(); i-- > 0;) {
      // Between two codecs the bytes are still packed.
      const std::uint64_t most = i == 0 ? wanted : wanted + wanted / 8 + kOverhead;
      if (!unpack(array_.codecs[i], now, most, plain)) return damaged(name);
      now.swap(plain);
    }
    if (now.size() != wanted) {
      return damaged(name, "holds another number of bytes than its chunk has");
    }
    if (array_.big_endian) {
      swap_bytes(now.data(), static_cast<std::int64_t>(now.size() / array_.sample_bytes()),
                 static_cast<int>(array_.sample_bytes()));
    }
    chunk.bytes = std::move(now);
    chunk.steps = steps_of(chunk.sides, array_.order);
    return chunk;
  });
}

}  // namespace aprscope
