#include "core/io/hdf5/hdf5_blosc.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <new>

#include <blosc.h>

#include "core/io/common/blosc_buffer.hpp"
#include "core/io/hdf5/hdf5_handle.hpp"

namespace aprscope {
namespace {

static_assert(static_cast<int>(BloscCodec::lz4) == BLOSC_LZ4 &&
              static_cast<int>(BloscCodec::lz4hc) == BLOSC_LZ4HC &&
              static_cast<int>(BloscCodec::zstd) == BLOSC_ZSTD);

// Client data of the filter as registered with the HDF Group: two versions, size of a value, bytes
// of a chunk, level, shuffle, codec.
constexpr std::size_t kClientValues = 7;
constexpr unsigned kFilterVersion = 2;

// The memory of HDF5's filter pipeline comes from malloc and is freed by the library.
bool replace_buffer(std::size_t bytes, std::size_t* buffer_size, void** buffer, void* fresh) {
  std::free(*buffer);
  *buffer = fresh;
  *buffer_size = bytes;
  return true;
}

std::size_t unpack_chunk(std::size_t client_count, const unsigned* client, std::size_t bytes,
                         std::size_t* buffer_size, void** buffer) {
  const std::span<const std::uint8_t> source(static_cast<const std::uint8_t*>(*buffer), bytes);
  const std::size_t unpacked = blosc_unpacked_size(source);
  // The library trusts the filter to give a whole chunk.
  if (unpacked == 0 || (client_count > 3 && unpacked != client[3])) return 0;
  void* fresh = std::malloc(unpacked);
  if (fresh == nullptr) return 0;
  bool done = false;
  try {
    done = blosc_unpack(source, {static_cast<std::uint8_t*>(fresh), unpacked});
  } catch (const std::bad_alloc&) {
    done = false;  // nothing may be thrown through the library
  }
  if (!done) {
    std::free(fresh);
    return 0;
  }
  replace_buffer(unpacked, buffer_size, buffer, fresh);
  return unpacked;
}

// Bytes to ask for, so that blosc packs 32 KB by themselves with zstd, and 64 KB with the codecs
// whose blocks it splits into the bytes of values: it takes those times the size of a value, and at
// least 64 KB. A chunk has several such blocks, and who reads a row of a slice unpacks only those
// that hold some of it. Blosc's own choice grows with the level, up to the whole chunk: hardly
// smaller, and a row costs as much as the chunk (benchmarks/large-files.md).
std::size_t block_to_ask_for(int codec, std::size_t type_size) {
  return codec == BLOSC_ZSTD ? 32768 : 65536 / std::max<std::size_t>(type_size, 1);
}

// Packs into at most `bytes` bytes, by one thread, so that the result does not depend on which
// block ends first. 0: the bytes do not shrink, or memory is short.
int packed_bytes(const void* plain, std::size_t bytes, std::size_t type_size, int level,
                 int shuffle, int codec, void* out) {
  const char* name = nullptr;
  if (blosc_compcode_to_compname(codec, &name) < 0 || !has_room_for_blosc(bytes)) return 0;
  return blosc_compress_ctx(level, shuffle, type_size, bytes, plain, out, bytes, name,
                            block_to_ask_for(codec, type_size), 1);
}

std::size_t pack_chunk(std::size_t client_count, const unsigned* client, std::size_t bytes,
                       std::size_t* buffer_size, void** buffer) {
  const std::size_t type_size = client_count > 2 ? client[2] : 1;
  const int level = client_count > 4 ? static_cast<int>(client[4]) : 5;
  const int shuffle = client_count > 5 ? static_cast<int>(client[5]) : BLOSC_SHUFFLE;
  const int codec = client_count > 6 ? static_cast<int>(client[6]) : BLOSC_BLOSCLZ;
  if (bytes > BLOSC_MAX_BUFFERSIZE) return 0;
  // No more room than the plain bytes: a chunk that does not shrink is stored as it is.
  void* fresh = std::malloc(bytes);
  if (fresh == nullptr) return 0;
  const int packed = packed_bytes(*buffer, bytes, type_size, level, shuffle, codec, fresh);
  if (packed <= 0) {
    std::free(fresh);
    return 0;
  }
  replace_buffer(bytes, buffer_size, buffer, fresh);
  return static_cast<std::size_t>(packed);
}

// An H5Z_func_t: returns the new number of valid bytes in *buffer, 0 for failure.
std::size_t blosc_filter(unsigned flags, std::size_t client_count, const unsigned* client,
                         std::size_t bytes, std::size_t* buffer_size, void** buffer) {
  return (flags & H5Z_FLAG_REVERSE) != 0
             ? unpack_chunk(client_count, client, bytes, buffer_size, buffer)
             : pack_chunk(client_count, client, bytes, buffer_size, buffer);
}

}  // namespace

bool register_blosc_filter() {
  static const H5Z_class2_t filter_class = {H5Z_CLASS_T_VERS, kBloscFilter, 1,       1,
                                            "blosc",          nullptr,      nullptr, blosc_filter};
  return H5Zregister(&filter_class) >= 0;
}

namespace {

std::array<unsigned, kClientValues> client_values(std::size_t type_size, std::size_t chunk_bytes,
                                                  const BloscPacking& packing) {
  return {kFilterVersion,
          BLOSC_VERSION_FORMAT,
          static_cast<unsigned>(type_size),
          static_cast<unsigned>(chunk_bytes),
          packing.level,
          BLOSC_SHUFFLE,
          static_cast<unsigned>(packing.codec)};
}

}  // namespace

bool add_blosc_filter(hid_t creation_properties, std::size_t type_size, std::size_t chunk_bytes,
                      const BloscPacking& packing) {
  const auto client = client_values(type_size, chunk_bytes, packing);
  return H5Pset_filter(creation_properties, kBloscFilter, H5Z_FLAG_OPTIONAL, client.size(),
                       client.data()) >= 0;
}

bool is_blosc_filter(const std::vector<std::uint32_t>& values, std::size_t type_size,
                     std::size_t chunk_bytes, const BloscPacking& packing) {
  constexpr std::ptrdiff_t kVersions = 2;
  const auto client = client_values(type_size, chunk_bytes, packing);
  return values.size() == client.size() &&
         std::equal(values.begin() + kVersions, values.end(), client.begin() + kVersions);
}

std::size_t blosc_pack_chunk(std::span<const std::uint8_t> plain, std::size_t type_size,
                             const BloscPacking& packing, std::span<std::uint8_t> out) {
  if (plain.size() > BLOSC_MAX_BUFFERSIZE || out.size() < plain.size()) return 0;
  const int packed =
      packed_bytes(plain.data(), plain.size(), type_size, static_cast<int>(packing.level),
                   BLOSC_SHUFFLE, static_cast<int>(packing.codec), out.data());
  return packed > 0 ? static_cast<std::size_t>(packed) : 0;
}

}  // namespace aprscope
