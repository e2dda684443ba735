#include "core/io/hdf5_chunks.hpp"

#include <cstdint>
#include <limits>
#include <vector>

#include <zlib.h>

#include "core/io/hdf5_handle.hpp"

namespace aprscope {
namespace {

// Bytes of a chunk as stored when no filter that `mask` leaves on changes its size otherwise than
// by a checksum; 0 when one does, so that nothing can be said.
hsize_t stored_size(hid_t properties, unsigned mask, hsize_t decoded) {
  const int filters = H5Pget_nfilters(properties);
  for (int i = 0; i < filters; ++i) {
    if (i < 32 && ((mask >> static_cast<unsigned>(i)) & 1U) != 0) continue;
    unsigned flags = 0;
    std::size_t values = 0;
    const H5Z_filter_t id = H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values,
                                           nullptr, 0, nullptr, nullptr);
    if (id == H5Z_FILTER_SHUFFLE) continue;
    if (id != H5Z_FILTER_FLETCHER32) return 0;
    decoded += 4;
  }
  return decoded;
}

// Bytes that a zlib stream decodes to, counted without keeping them; stops above `limit`. 0 when
// the stream is damaged.
hsize_t inflated_size(std::vector<std::uint8_t>& stream, hsize_t limit) {
  z_stream state{};
  if (stream.size() > std::numeric_limits<uInt>::max() || inflateInit(&state) != Z_OK) return 0;
  state.next_in = stream.data();
  state.avail_in = static_cast<uInt>(stream.size());
  std::vector<std::uint8_t> scratch(1 << 16);
  hsize_t total = 0;
  int status = Z_OK;
  while (status == Z_OK && total <= limit) {
    state.next_out = scratch.data();
    state.avail_out = static_cast<uInt>(scratch.size());
    status = inflate(&state, Z_NO_FLUSH);
    total += scratch.size() - state.avail_out;
  }
  inflateEnd(&state);
  return status == Z_STREAM_END ? total : 0;
}

// The filter that was applied last and changes the size; 0 when there is none.
H5Z_filter_t outer_filter(hid_t properties) {
  for (int i = H5Pget_nfilters(properties) - 1; i >= 0; --i) {
    unsigned flags = 0;
    std::size_t values = 0;
    const H5Z_filter_t id = H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values,
                                           nullptr, 0, nullptr, nullptr);
    if (id != H5Z_FILTER_SHUFFLE && id != H5Z_FILTER_FLETCHER32) return id;
  }
  return 0;
}

}  // namespace

bool chunk_shape_is_true(hid_t dataset) {
  const Hdf5Handle properties(H5Dget_create_plist(dataset));
  const Hdf5Handle type(H5Dget_type(dataset));
  const Hdf5Handle space(H5Dget_space(dataset));
  if (!properties || !type || !space) return false;
  if (H5Pget_layout(properties.get()) != H5D_CHUNKED) return true;
  hsize_t chunk[H5S_MAX_RANK];
  const int rank = H5Pget_chunk(properties.get(), H5S_MAX_RANK, chunk);
  if (rank <= 0) return false;
  hsize_t decoded = H5Tget_size(type.get());
  for (int d = 0; d < rank; ++d) {
    // The library keeps the bytes of a chunk in 32 bits.
    if (chunk[d] == 0 || __builtin_mul_overflow(decoded, chunk[d], &decoded) ||
        decoded > std::numeric_limits<std::uint32_t>::max()) {
      return false;
    }
  }
  const H5Z_filter_t filter = outer_filter(properties.get());
  if (filter != H5Z_FILTER_DEFLATE && filter != kBloscFilter) return true;
  hsize_t chunks = 0;
  if (H5Dget_num_chunks(dataset, space.get(), &chunks) < 0) return false;
  if (chunks == 0) return true;
  hsize_t at[H5S_MAX_RANK];
  unsigned mask = 0;
  haddr_t address = HADDR_UNDEF;
  hsize_t size = 0;
  if (H5Dget_chunk_info(dataset, space.get(), 0, at, &mask, &address, &size) < 0) return false;
  const hsize_t stored = H5Dget_storage_size(dataset);
  if (mask != 0 || address == HADDR_UNDEF) return true;
  if (size > stored) return false;
  std::vector<std::uint8_t> raw(size);
  std::uint32_t skipped = 0;
  if (H5Dread_chunk(dataset, H5P_DEFAULT, at, &skipped, raw.data()) < 0) return false;
  if (filter == H5Z_FILTER_DEFLATE) return inflated_size(raw, decoded) == decoded;
  // Blosc: bytes 4 to 7 of a buffer are the decoded size, little-endian.
  if (raw.size() < 16) return false;
  const hsize_t claimed = raw[4] | static_cast<hsize_t>(raw[5]) << 8U |
                          static_cast<hsize_t>(raw[6]) << 16U | static_cast<hsize_t>(raw[7]) << 24U;
  return claimed == decoded;
}

bool chunks_are_whole(hid_t dataset, const hsize_t* start, const hsize_t* count) {
  const Hdf5Handle properties(H5Dget_create_plist(dataset));
  const Hdf5Handle type(H5Dget_type(dataset));
  if (!properties || !type) return false;
  if (H5Pget_layout(properties.get()) != H5D_CHUNKED) return true;
  hsize_t chunk[H5S_MAX_RANK];
  const int rank = H5Pget_chunk(properties.get(), H5S_MAX_RANK, chunk);
  if (rank <= 0) return false;
  hsize_t decoded = H5Tget_size(type.get());
  hsize_t at[H5S_MAX_RANK];
  for (int d = 0; d < rank; ++d) {
    if (count[d] == 0) return true;
    decoded *= chunk[d];
    at[d] = start[d] / chunk[d] * chunk[d];
  }
  while (true) {
    unsigned mask = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t size = 0;
    if (H5Dget_chunk_info_by_coord(dataset, at, &mask, &address, &size) < 0) return false;
    if (address != HADDR_UNDEF) {
      const hsize_t wanted = stored_size(properties.get(), mask, decoded);
      if (wanted != 0 && size != wanted) return false;
    }
    int d = rank - 1;
    for (; d >= 0; --d) {
      at[d] += chunk[d];
      if (at[d] < start[d] + count[d]) break;
      at[d] = start[d] / chunk[d] * chunk[d];
    }
    if (d < 0) return true;
  }
}

}  // namespace aprscope
