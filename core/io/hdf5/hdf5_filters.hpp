#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/io/hdf5/hdf5_description.hpp"

// Private to core/io: undoes the filters of HDF5 chunks. Unlike the HDF5 library this code trusts
// no size that a chunk or header claims.

namespace aprscope {

/// Numbers of filters in the registry of the HDF Group.
enum Hdf5FilterId : std::uint32_t {
  kDeflate = 1,
  kShuffle = 2,
  kFletcher32 = 3,
  kSzip = 4,
  kNbit = 5,
  kScaleOffset = 6,
  kLzf = 32000,
  kBlosc = 32001,
  kLz4 = 32004,
  kZstd = 32015
};

/// "" when all filters are known here; else what they are called, for errors.
std::string unknown_filter(const std::vector<Hdf5Filter>& filters);

/// Buffers that are used again from chunk to chunk. One for each thread.
struct ChunkScratch {
  std::vector<std::uint8_t> first, second;
};

/// Decodes the bytes [begin, begin + out.size()) of a chunk that has `bytes` of them. Bit i of
/// `skipped` says that filter i was left out. Where a filter packs in blocks, only those that hold
/// some of the bytes are looked at. "" on success, else what is wrong with the chunk.
std::string decode_chunk(const std::vector<Hdf5Filter>& filters, std::uint32_t skipped,
                         std::span<const std::uint8_t> stored, std::size_t bytes, std::size_t begin,
                         std::span<std::uint8_t> out, ChunkScratch& scratch);

// Single filters; `out` receives at most `most` bytes. False for damaged input. Their sources are
// the documents of the HDF Group (File Format Specification 3.0, "Filter Pipeline"; registered
// filters) and, for the two bit packers, what the library writes.

/// Bits packed as many a value as needed, after subtracting the least (filter 6); integers, and
/// reals in fixed decimals.
bool undo_scale_offset(std::span<const std::uint8_t> in, const std::vector<std::uint32_t>& values,
                       std::size_t most, std::vector<std::uint8_t>& out);
/// Undoes filter 5 (nbit), which keeps only the significant bits, of plain numbers.
bool undo_nbit(std::span<const std::uint8_t> in, const std::vector<std::uint32_t>& values,
               std::size_t most, std::vector<std::uint8_t>& out);
/// LZF (filter 32000, of h5py) and LZ4 in its blocks (32004).
bool undo_lzf(std::span<const std::uint8_t> in, std::size_t most, std::vector<std::uint8_t>& out);
bool undo_lz4(std::span<const std::uint8_t> in, std::size_t most, std::vector<std::uint8_t>& out);

}  // namespace aprscope
