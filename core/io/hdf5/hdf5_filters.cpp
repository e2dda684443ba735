#include "core/io/hdf5/hdf5_filters.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <zlib.h>
#include <zstd.h>

extern "C" {  // which this header lacks
#include <szlib.h>
}

#include "core/io/common/blosc_buffer.hpp"

namespace aprscope {
namespace {

struct FilterName {
  std::uint32_t id;
  const char* name;
  bool known;
};

constexpr std::array kFilters = {FilterName{kDeflate, "deflate", true},
                                 FilterName{kShuffle, "shuffle", true},
                                 FilterName{kFletcher32, "Fletcher-32", true},
                                 FilterName{kSzip, "szip", true},
                                 FilterName{kNbit, "n-bit", true},
                                 FilterName{kScaleOffset, "scale-offset", true},
                                 FilterName{kLzf, "LZF", true},
                                 FilterName{kBlosc, "Blosc", true},
                                 FilterName{kLz4, "LZ4", true},
                                 FilterName{kZstd, "Zstandard", true},
                                 FilterName{307, "bzip2", false},
                                 FilterName{305, "LZO", false},
                                 FilterName{32008, "bitshuffle", false},
                                 FilterName{32013, "ZFP", false},
                                 FilterName{32016, "B3D", false},
                                 FilterName{32017, "SZ", false},
                                 FilterName{32019, "JPEG", false},
                                 FilterName{32026, "Blosc2", false}};

const FilterName* find(std::uint32_t id) {
  const auto* at =
      std::find_if(kFilters.begin(), kFilters.end(), [&](const auto& f) { return f.id == id; });
  return at == kFilters.end() ? nullptr : at;
}

std::string name_of(std::uint32_t id) {
  const FilterName* const found = find(id);
  return found != nullptr ? found->name : "filter " + std::to_string(id);
}

bool undo_deflate(std::span<const std::uint8_t> in, std::size_t most,
                  std::vector<std::uint8_t>& out) {
  z_stream state{};
  if (in.size() > std::numeric_limits<uInt>::max() || inflateInit(&state) != Z_OK) return false;
  state.next_in = const_cast<Bytef*>(in.data());
  state.avail_in = static_cast<uInt>(in.size());
  out.resize(std::min(most, in.size() * 3 + 1024));
  std::size_t done = 0;
  int status = Z_OK;
  while (status == Z_OK) {
    if (done == out.size()) {
      if (done >= most) break;
      out.resize(std::min(most, done * 2));
    }
    const std::size_t room = std::min<std::size_t>(out.size() - done, 1U << 30U);
    state.next_out = out.data() + done;
    state.avail_out = static_cast<uInt>(room);
    status = inflate(&state, Z_NO_FLUSH);
    done += room - state.avail_out;
    if (status == Z_BUF_ERROR && done == out.size()) status = Z_OK;
  }
  inflateEnd(&state);
  out.resize(done);
  return status == Z_STREAM_END;
}

// Byte k of all values lies together; what is left at the end was not moved.
bool undo_shuffle(std::span<const std::uint8_t> in, const std::vector<std::uint32_t>& values,
                  std::vector<std::uint8_t>& out) {
  if (values.empty() || values[0] == 0) return false;
  const std::size_t size = values[0];
  const std::size_t count = in.size() / size;
  out.resize(in.size());
  for (std::size_t b = 0; b < size && count > 0; ++b) {
    const std::uint8_t* from = in.data() + b * count;
    std::uint8_t* to = out.data() + b;
    for (std::size_t i = 0; i < count; ++i, to += size) *to = from[i];
  }
  std::copy(in.begin() + static_cast<std::ptrdiff_t>(count * size), in.end(),
            out.begin() + static_cast<std::ptrdiff_t>(count * size));
  return true;
}

// The sum over big-endian words of 16 bits (Fletcher 1982), as the HDF5 library computes it.
std::uint32_t fletcher32(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kBeforeOverflow = 360;
  std::uint32_t first = 0, second = 0;
  const auto fold = [&] {
    first = (first & 0xFFFFU) + (first >> 16U);
    second = (second & 0xFFFFU) + (second >> 16U);
  };
  const std::size_t words = bytes.size() / 2;
  for (std::size_t i = 0; i < words;) {
    for (const std::size_t end = std::min(words, i + kBeforeOverflow); i < end; ++i) {
      first += static_cast<std::uint32_t>(bytes[2 * i]) << 8U | bytes[2 * i + 1];
      second += first;
    }
    fold();
  }
  if (bytes.size() % 2 != 0) {
    first += static_cast<std::uint32_t>(bytes.back()) << 8U;
    second += first;
    fold();
  }
  fold();
  return second << 16U | first;
}

bool undo_fletcher32(std::span<const std::uint8_t> in, std::vector<std::uint8_t>& out) {
  if (in.size() < 4) return false;
  const auto data = in.first(in.size() - 4);
  const auto tail = in.last(4);
  const std::uint32_t stated = tail[0] | static_cast<std::uint32_t>(tail[1]) << 8U |
                               static_cast<std::uint32_t>(tail[2]) << 16U |
                               static_cast<std::uint32_t>(tail[3]) << 24U;
  // Old big-endian writers swapped the bytes of both halves.
  const std::uint32_t swapped = (stated & 0x00FF00FFU) << 8U | (stated >> 8U & 0x00FF00FFU);
  const std::uint32_t sum = fletcher32(data);
  if (sum != stated && sum != swapped) return false;
  out.assign(data.begin(), data.end());
  return true;
}

// Decoded bytes (4, little-endian), then the stream.
bool undo_szip(std::span<const std::uint8_t> in, const std::vector<std::uint32_t>& values,
               std::size_t most, std::vector<std::uint8_t>& out) {
  if (in.size() < 4 || values.size() < 4) return false;
  const std::size_t bytes = in[0] | static_cast<std::size_t>(in[1]) << 8U |
                            static_cast<std::size_t>(in[2]) << 16U |
                            static_cast<std::size_t>(in[3]) << 24U;
  constexpr std::uint32_t kMostBits = 64, kMostBlock = 32, kMostLine = 4096;
  if (bytes > most || values[1] > kMostBlock || values[2] > kMostBits || values[3] > kMostLine) {
    return false;
  }
  SZ_com_t parameters{};
  parameters.options_mask = static_cast<int>(values[0]);
  parameters.pixels_per_block = static_cast<int>(values[1]);
  parameters.bits_per_pixel = static_cast<int>(values[2]);
  parameters.pixels_per_scanline = static_cast<int>(values[3]);
  out.assign(bytes, 0);
  std::size_t done = bytes;
  return SZ_BufftoBuffDecompress(out.data(), &done, in.data() + 4, in.size() - 4, &parameters) ==
             SZ_OK &&
         done == bytes;
}

bool undo_zstd(std::span<const std::uint8_t> in, std::size_t most, std::vector<std::uint8_t>& out) {
  const auto stated = ZSTD_getFrameContentSize(in.data(), in.size());
  if (stated == ZSTD_CONTENTSIZE_ERROR) return false;
  if (stated != ZSTD_CONTENTSIZE_UNKNOWN && stated > most) return false;
  out.resize(stated == ZSTD_CONTENTSIZE_UNKNOWN ? most : stated);
  const std::size_t done = ZSTD_decompress(out.data(), out.size(), in.data(), in.size());
  if (ZSTD_isError(done) != 0) return false;
  out.resize(done);
  return true;
}

bool undo_blosc(std::span<const std::uint8_t> in, std::size_t most,
                std::vector<std::uint8_t>& out) {
  const std::size_t bytes = blosc_unpacked_size(in);
  if (bytes == 0 || bytes > most) return false;
  out.resize(bytes);
  return blosc_unpack(in, out);
}

bool undo(const Hdf5Filter& filter, std::span<const std::uint8_t> in, std::size_t most,
          std::vector<std::uint8_t>& out) {
  switch (filter.id) {
    case kDeflate:
      return undo_deflate(in, most, out);
    case kShuffle:
      return undo_shuffle(in, filter.values, out);
    case kFletcher32:
      return undo_fletcher32(in, out);
    case kSzip:
      return undo_szip(in, filter.values, most, out);
    case kNbit:
      return undo_nbit(in, filter.values, most, out);
    case kScaleOffset:
      return undo_scale_offset(in, filter.values, most, out);
    case kLzf:
      return undo_lzf(in, most, out);
    case kBlosc:
      return undo_blosc(in, most, out);
    case kLz4:
      return undo_lz4(in, most, out);
    case kZstd:
      return undo_zstd(in, most, out);
    default:
      return false;
  }
}

}  // namespace

std::string unknown_filter(const std::vector<Hdf5Filter>& filters) {
  for (const Hdf5Filter& filter : filters) {
    const FilterName* const found = find(filter.id);
    if (found == nullptr || !found->known) return name_of(filter.id);
  }
  return {};
}

std::string decode_chunk(const std::vector<Hdf5Filter>& filters, std::uint32_t skipped,
                         std::span<const std::uint8_t> stored, std::size_t bytes, std::size_t begin,
                         std::span<std::uint8_t> out, ChunkScratch& scratch) {
  // Most bytes of a packed chunk: hardly more than the chunk itself, as checksums, headers and
  // incompressible data add little.
  const std::size_t most = bytes + bytes / 8 + 65536;
  std::span<const std::uint8_t> at = stored;
  for (std::size_t i = filters.size(); i-- > 0;) {
    if (i < 32 && (skipped >> i & 1U) != 0) continue;
    const bool last = i == 0;
    if (last && filters[i].id == kBlosc && blosc_unpacked_size(at) == bytes) {
      const bool sound =
          out.size() == bytes ? blosc_unpack(at, out) : blosc_unpack_part(at, begin, out);
      return sound ? "" : "no sound Blosc data";
    }
    auto& to = at.data() == scratch.first.data() ? scratch.second : scratch.first;
    if (!undo(filters[i], at, most, to)) return "no sound " + name_of(filters[i].id) + " data";
    at = to;
  }
  if (at.size() != bytes) {
    return std::to_string(at.size()) + " bytes instead of " + std::to_string(bytes);
  }
  std::copy_n(at.begin() + static_cast<std::ptrdiff_t>(begin), out.size(), out.begin());
  return {};
}

}  // namespace aprscope
