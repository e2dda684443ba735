#include <cmath>
#include <cstring>

#include "core/io/common/byte_reader.hpp"
#include "core/io/hdf5/hdf5_filters.hpp"

// The two bit packers of HDF5: filters nbit and scale-offset.

namespace aprscope {
namespace {

// Numbers of `width` bits, the highest bit first, one after the other.
class BitReader {
 public:
  explicit BitReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  // False when fewer bits are left than `count` numbers of `width` bits take.
  [[nodiscard]] bool holds(std::uint64_t count, unsigned width) const {
    return width == 0 || count <= bytes_.size() * 8 / width;
  }
  std::uint64_t next(unsigned width) {
    std::uint64_t value = 0;
    while (width > 0) {
      const unsigned here = static_cast<unsigned>(at_ % 8);
      const unsigned taken = std::min(8 - here, width);
      const unsigned byte = bytes_[at_ / 8];
      value = value << taken | (byte >> (8 - here - taken) & ((1U << taken) - 1));
      at_ += taken;
      width -= taken;
    }
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::uint64_t at_ = 0;
};

std::uint64_t low_bits(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

void store(std::uint64_t value, std::size_t size, bool big_endian, std::uint8_t* to) {
  for (std::size_t b = 0; b < size; ++b) {
    const std::size_t at = big_endian ? size - 1 - b : b;
    to[at] = static_cast<std::uint8_t>(value >> (8 * b));
  }
}

bool usual_size(std::uint64_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

// The client values of scale-offset, by their place.
enum ScaleOffset : std::uint8_t {
  kScaleType,
  kScaleFactor,
  kElements,
  kClass,
  kSize,
  kSign,
  kOrder,
  kFillDefined,
  kFill
};
constexpr std::uint32_t kDecimals = 0;  // scale type: reals, in decimals
constexpr std::uint32_t kReal = 1;      // class
constexpr std::size_t kHeaderBytes = 21;

template <class Real, class Whole>
std::uint64_t from_decimals(std::uint64_t packed, std::uint64_t least, std::int32_t decimals) {
  Whole whole = 0;
  std::memcpy(&whole, &packed, sizeof whole);
  Real minimum = 0;
  std::memcpy(&minimum, &least, sizeof minimum);
  const Real value =
      static_cast<Real>(whole) / std::pow(static_cast<Real>(10), static_cast<Real>(decimals)) +
      minimum;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

}  // namespace

bool undo_scale_offset(std::span<const std::uint8_t> in, const std::vector<std::uint32_t>& values,
                       std::size_t most, std::vector<std::uint8_t>& out) {
  if (values.size() <= kFill + 1) return false;
  const std::uint64_t count = values[kElements];
  const std::uint64_t size = values[kSize];
  const bool real = values[kClass] == kReal;
  if (!usual_size(size) || count > most / size || (real && size < 4) ||
      (real && values[kScaleType] != kDecimals)) {
    return false;
  }
  ByteReader head(in);
  const std::uint64_t width = head.number(4);
  const std::uint64_t least_bytes = head.number(1);
  if (least_bytes > 8) return false;
  const std::uint64_t least = head.number(least_bytes);
  if (!head.valid() || in.size() < kHeaderBytes || width > 8 * size) return false;
  const auto packed = in.subspan(kHeaderBytes);
  const bool big_endian = values[kOrder] == 1;
  out.resize(count * size);
  // Values that need all of their bits were copied as they were in memory.
  const bool whole = width == 8 * size;
  BitReader bits(packed);
  if (whole ? packed.size() < count * size : !bits.holds(count, width)) return false;
  std::uint64_t fill = values[kFill];
  if (size == 8) fill |= std::uint64_t{values[kFill + 1]} << 32U;
  const bool filled = values[kFillDefined] == 1;
  const auto decimals = static_cast<std::int32_t>(values[kScaleFactor]);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t value = 0;
    if (whole) {
      std::memcpy(&value, packed.data() + i * size, size);
    } else {
      const std::uint64_t stored = bits.next(static_cast<unsigned>(width));
      if (filled && stored == low_bits(static_cast<unsigned>(width))) {
        value = fill;
      } else if (!real) {
        value = stored + least;
      } else {
        value = size == 4 ? from_decimals<float, std::int32_t>(stored, least, decimals)
                          : from_decimals<double, std::int64_t>(stored, least, decimals);
      }
    }
    store(value, size, big_endian, out.data() + i * size);
  }
  return true;
}

bool undo_nbit(std::span<const std::uint8_t> in, const std::vector<std::uint32_t>& values,
               std::size_t most, std::vector<std::uint8_t>& out) {
  // How many client values, whether nothing was packed, values, kind, and of plain numbers: bytes,
  // byte order, bits, place of the lowest.
  constexpr std::size_t kPlain = 8;
  constexpr std::uint32_t kAtomic = 1;
  if (values.size() < 3) return false;
  if (values[1] != 0) {
    if (in.size() > most) return false;
    out.assign(in.begin(), in.end());
    return true;
  }
  if (values.size() < kPlain || values[3] != kAtomic) return false;
  const std::uint64_t count = values[2];
  const std::uint64_t size = values[4];
  const bool big_endian = values[5] == 1;
  const std::uint32_t precision = values[6];
  const std::uint32_t offset = values[7];
  if (!usual_size(size) || count > most / size || precision == 0 || precision > 8 * size ||
      offset > 8 * size - precision) {
    return false;
  }
  BitReader bits(in);
  if (!bits.holds(count, precision)) return false;
  out.resize(count * size);
  for (std::uint64_t i = 0; i < count; ++i) {
    store(bits.next(precision) << offset, size, big_endian, out.data() + i * size);
  }
  return true;
}

}  // namespace aprscope
