#include <algorithm>
#include <limits>

#include <lz4.h>

#include "core/io/hdf5/hdf5_filters.hpp"

// LZF and LZ4 as HDF5 files have them.

namespace aprscope {
namespace {

std::uint64_t big_endian(std::span<const std::uint8_t> bytes) {
  std::uint64_t value = 0;
  for (const std::uint8_t byte : bytes) value = value << 8U | byte;
  return value;
}

}  // namespace

// LZF (Marc Lehmann): a byte below 32 precedes that many literals plus one; others carry the length
// of a repetition in their upper three bits (7: a byte more follows) and, with the byte after that,
// how far back it begins.
bool undo_lzf(std::span<const std::uint8_t> in, std::size_t most, std::vector<std::uint8_t>& out) {
  constexpr unsigned kLiterals = 32;
  constexpr unsigned kLonger = 7;
  out.clear();
  std::size_t at = 0;
  while (at < in.size()) {
    const unsigned control = in[at++];
    if (control < kLiterals) {
      const std::size_t count = control + 1;
      if (count > in.size() - at || count > most - out.size()) return false;
      out.insert(out.end(), in.begin() + static_cast<std::ptrdiff_t>(at),
                 in.begin() + static_cast<std::ptrdiff_t>(at + count));
      at += count;
      continue;
    }
    std::size_t count = control >> 5U;
    if (count == kLonger) {
      if (at == in.size()) return false;
      count += in[at++];
    }
    count += 2;
    if (at == in.size()) return false;
    const std::size_t back = ((control & 31U) << 8U | in[at++]) + 1;
    if (back > out.size() || count > most - out.size()) return false;
    // Copied byte by byte, as a repetition may overlap its own output.
    for (std::size_t i = 0; i < count; ++i) out.push_back(out[out.size() - back]);
  }
  return true;
}

// Bytes in all (8) and a block (4), then each block behind its packed size (4), all big-endian; a
// block that did not shrink is stored as it is.
bool undo_lz4(std::span<const std::uint8_t> in, std::size_t most, std::vector<std::uint8_t>& out) {
  constexpr std::size_t kHead = 12;
  constexpr std::uint64_t kLargest = std::numeric_limits<int>::max();
  if (in.size() < kHead) return false;
  const std::uint64_t bytes = big_endian(in.first(8));
  const std::uint64_t block = big_endian(in.subspan(8, 4));
  if (bytes > most || block == 0 || block > kLargest) return false;
  out.resize(bytes);
  std::size_t at = kHead;
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t wanted = std::min(block, bytes - done);
    if (in.size() - at < 4) return false;
    const std::uint64_t packed = big_endian(in.subspan(at, 4));
    at += 4;
    if (packed > in.size() - at || packed > kLargest) return false;
    const auto source = in.subspan(at, packed);
    if (packed == wanted) {
      std::copy(source.begin(), source.end(), out.begin() + static_cast<std::ptrdiff_t>(done));
    } else if (LZ4_decompress_safe(reinterpret_cast<const char*>(source.data()),
                                   reinterpret_cast<char*>(out.data() + done),
                                   static_cast<int>(packed),
                                   static_cast<int>(wanted)) != static_cast<int>(wanted)) {
      return false;
    }
    at += packed;
    done += wanted;
  }
  return true;
}

}  // namespace aprscope
