#include "core/io/hdf5_messages.hpp"

#include <algorithm>

namespace aprscope {
namespace {

constexpr int kDeepestType = 16;
constexpr std::uint64_t kMostDimensions = 32;
// Storage of a dataset, as its layout message numbers it.
constexpr std::uint64_t kCompact = 0;
constexpr std::uint64_t kContiguous = 1;
constexpr std::uint64_t kChunked = 2;
// Shortest encoding of "this message lies elsewhere": version, type, address.
constexpr std::size_t kShared = 10;

enum TypeClass : unsigned {
  kFixedPoint = 0,
  kFloat = 1,
  kTime = 2,
  kString = 3,
  kBitField = 4,
  kOpaque = 5,
  kCompound = 6,
  kReference = 7,
  kEnum = 8,
  kVariable = 9,
  kArray = 10
};

// Bytes that the offset of a member takes in version 3: as few as its compound's size needs.
std::size_t offset_bytes(std::uint64_t size) {
  return size < 1U << 8U ? 1 : size < 1U << 16U ? 2 : size < 1U << 24U ? 3 : 4;
}

bool compound_fits(ByteReader& in, unsigned version, std::uint64_t members, std::uint64_t size,
                   int depth) {
  for (std::uint64_t m = 0; in.valid() && m < members; ++m) {
    const std::size_t start = in.position();
    in.skip_text();
    if (version < 3) in.align(start);
    in.skip(version < 3 ? 4 : offset_bytes(size));
    if (version == 1) {
      if (in.number(1) > 4) return false;
      in.skip(3 + 4 + 4 + 16);
    }
    if (!datatype_fits(in, nullptr, depth + 1)) return false;
  }
  return in.valid();
}

bool enum_fits(ByteReader& in, unsigned version, std::uint64_t members, std::uint64_t size,
               int depth) {
  if (!datatype_fits(in, nullptr, depth + 1)) return false;
  for (std::uint64_t m = 0; in.valid() && m < members; ++m) {
    const std::size_t start = in.position();
    in.skip_text();
    if (version < 3) in.align(start);
  }
  if (!in.valid() || (members != 0 && size > in.left() / members)) return false;
  in.skip(members * size);
  return in.valid();
}

bool array_fits(ByteReader& in, unsigned version, int depth) {
  const std::uint64_t rank = in.number(1);
  if (rank > kMostDimensions) return false;
  if (version < 3) in.skip(3);
  in.skip(rank * 4);
  if (version < 3) in.skip(rank * 4);
  return in.valid() && datatype_fits(in, nullptr, depth + 1);
}

// The extents of a chunk, the last of which is the bytes of one value.
bool chunk_fits(ByteReader& in, std::uint64_t rank, std::size_t extent_bytes) {
  if (rank < 2 || rank > kMostDimensions + 1) return false;
  for (std::uint64_t d = 0; d < rank; ++d) {
    if (in.number(extent_bytes) == 0) return false;
  }
  return in.valid();
}

}  // namespace

std::span<const std::uint8_t> ByteReader::take(std::size_t bytes) {
  if (!valid_ || bytes > left()) {
    valid_ = false;
    return {};
  }
  at_ += bytes;
  return bytes_.subspan(at_ - bytes, bytes);
}

std::uint64_t ByteReader::number(std::size_t bytes) {
  std::uint64_t value = 0;
  const auto taken = take(bytes);
  for (std::size_t i = taken.size(); i-- > 0;) value = value << 8U | taken[i];
  return value;
}

void ByteReader::skip_text() {
  const auto rest = bytes_.subspan(at_);
  const auto end = std::find(rest.begin(), rest.end(), std::uint8_t{0});
  if (end == rest.end()) valid_ = false;
  if (valid_) at_ += static_cast<std::size_t>(end - rest.begin()) + 1;
}

void ByteReader::align(std::size_t start) { take((8 - (at_ - start) % 8) % 8); }

bool datatype_fits(ByteReader& in, std::uint64_t* value_size, int depth) {
  if (depth > kDeepestType) return false;
  const std::uint64_t head = in.number(1);
  const std::uint64_t bits = in.number(3);
  const std::uint64_t size = in.number(4);
  const auto version = static_cast<unsigned>(head >> 4U);
  if (!in.valid() || version < 1 || version > 4) return false;
  if (value_size != nullptr) *value_size = size;
  switch (head & 0xFU) {
    case kFixedPoint:
    case kBitField:
      in.skip(4);
      return in.valid();
    case kFloat:
      in.skip(12);
      return in.valid();
    case kTime:
      in.skip(2);
      return in.valid();
    case kString:
    case kReference:
      return true;
    case kOpaque:
      in.skip(bits & 0xFFU);
      return in.valid();
    case kCompound:
      return compound_fits(in, version, bits & 0xFFFFU, size, depth);
    case kEnum:
      return enum_fits(in, version, bits & 0xFFFFU, size, depth);
    case kVariable:
      return datatype_fits(in, nullptr, depth + 1);
    case kArray:
      return array_fits(in, version, depth);
    default:
      return false;
  }
}

bool dataspace_fits(ByteReader& in, std::uint64_t* count) {
  const std::uint64_t version = in.number(1);
  const std::uint64_t rank = in.number(1);
  const std::uint64_t flags = in.number(1);
  const std::uint64_t kind = in.number(1);  // of version 2; 2 is the empty space
  if (version == 1) in.skip(4);
  if (version < 1 || version > 2 || rank > kMostDimensions) return false;
  std::uint64_t values = version == 2 && kind == 2 ? 0 : 1;
  for (std::uint64_t d = 0; d < rank; ++d) {
    const std::uint64_t extent = in.number(8);
    constexpr std::uint64_t kLimit = std::uint64_t{1} << 63U;
    values = extent != 0 && values > kLimit / extent ? kLimit : values * extent;
  }
  if ((flags & 1U) != 0) in.skip(rank * 8);
  if (count != nullptr) *count = values;
  return in.valid();
}

bool layout_fits(ByteReader in) {
  const std::uint64_t version = in.number(1);
  if (version == 1 || version == 2) {
    const std::uint64_t rank = in.number(1);
    const std::uint64_t storage = in.number(1);
    in.skip(5);
    if (storage != kCompact) in.skip(8);
    if (storage == kChunked) return chunk_fits(in, rank, 4);
    return in.valid() && storage <= kContiguous && rank <= kMostDimensions;
  }
  if (version < 3 || version > 4) return false;
  const std::uint64_t storage = in.number(1);
  if (storage == kCompact) {
    in.skip(in.number(2));
  } else if (storage == kContiguous) {
    in.skip(16);
  } else if (storage == kChunked && version == 3) {
    const std::uint64_t rank = in.number(1);
    in.skip(8);
    return chunk_fits(in, rank, 4);
  } else if (storage == kChunked) {
    in.skip(1);
    const std::uint64_t rank = in.number(1);
    const std::uint64_t extent_bytes = in.number(1);
    return extent_bytes >= 1 && extent_bytes <= 8 && chunk_fits(in, rank, extent_bytes);
  }
  return in.valid();
}

bool attribute_fits(ByteReader in) {
  const std::uint64_t version = in.number(1);
  const std::uint64_t flags = in.number(1);
  const std::size_t name_bytes = in.number(2);
  const std::size_t type_bytes = in.number(2);
  const std::size_t space_bytes = in.number(2);
  if (!in.valid() || version < 1 || version > 3 || name_bytes == 0) return false;
  if (version == 3) in.skip(1);
  const auto part = [&](std::size_t bytes) {
    const std::size_t start = in.position();
    const ByteReader out = in.part(bytes);
    if (version == 1) in.align(start);
    return out;
  };
  ByteReader name = part(name_bytes);
  ByteReader type = part(type_bytes);
  ByteReader space = part(space_bytes);
  if (!in.valid()) return false;
  name.skip_text();
  if (!name.valid()) return false;
  const bool type_shared = version > 1 && (flags & 1U) != 0;
  const bool space_shared = version > 1 && (flags & 2U) != 0;
  std::uint64_t size = 0;
  std::uint64_t count = 0;
  if (!(type_shared ? type_bytes >= kShared : datatype_fits(type, &size)) ||
      !(space_shared ? space_bytes >= kShared : dataspace_fits(space, &count))) {
    return false;
  }
  // The values follow, in the same message.
  return size == 0 || count <= in.left() / size;
}

}  // namespace aprscope
