#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

// Private to core/io: the structure of an HDF5 file as plain values. These come from the helper
// process that runs the HDF5 library (hdf5_helper.hpp) and must be checked before they are
// trusted.

namespace aprscope {

/// Address of something that was never written to the file.
inline constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();

enum class Hdf5Kind : std::uint8_t { integer, real, text, other };

/// The type of the values of a dataset or attribute.
struct Hdf5Type {
  Hdf5Kind kind = Hdf5Kind::other;
  /// Bytes of one value.
  std::uint32_t size = 0;
  bool is_signed = false;
  bool big_endian = false;
  /// Integers: the bits that count, from `offset` (counted from the lowest) on.
  std::uint32_t precision = 0;
  std::uint32_t offset = 0;
  /// Reals: sign, exponent and mantissa lie and are coded as IEEE 754 has them.
  bool ieee = false;
  /// Texts: whether each has its own length.
  bool variable = false;

  /// An integer whose bits all count, or an IEEE 754 number, of a usual size.
  [[nodiscard]] bool plain() const;
  /// plain(), or an integer whose bits lie within its bytes.
  [[nodiscard]] bool sound() const;
  /// Name of the type: "u8", "f32", …; "" for no number or one of no usual size.
  [[nodiscard]] std::string name() const;
};

enum class Hdf5ObjectKind : std::uint8_t { group, dataset, other, unreadable };

/// A hard link of a group.
struct Hdf5Child {
  std::string name;
  Hdf5ObjectKind kind = Hdf5ObjectKind::other;
  /// Address of the object in the file; two links may lead to one object.
  std::uint64_t address = 0;
  /// Type and extent, for datasets only.
  Hdf5Type type;
  std::vector<std::uint64_t> extent;
};

/// A filter that chunks passed, in the order in which they did when they were written.
struct Hdf5Filter {
  std::uint32_t id = 0;
  std::vector<std::uint32_t> values;
};

/// A box of elements: count blocks of `block` elements, `stride` apart, along each dimension; all
/// elements when the lists are empty.
struct Hdf5Selection {
  std::vector<std::uint64_t> start, stride, count, block;
};

/// Elements of a virtual dataset, in `here`, are those of another dataset, in `there`, both taken
/// row by row.
struct Hdf5Mapping {
  std::string file, dataset;
  Hdf5Selection here, there;
};

/// A piece of the pixels in a file of its own.
struct Hdf5External {
  std::string file;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

enum class Hdf5Storage : std::uint8_t { compact, contiguous, chunked, elsewhere, mapped };

struct Hdf5Dataset {
  Hdf5Type type;
  std::vector<std::uint64_t> extent;
  Hdf5Storage storage = Hdf5Storage::contiguous;
  /// Bytes that the file holds for it.
  std::uint64_t stored = 0;
  /// The fill value, as it lies in the file; empty means zeros.
  std::vector<std::uint8_t> fill;
  /// The values, for compact storage only.
  std::vector<std::uint8_t> compact;
  /// Where the values begin, for contiguous storage only.
  std::uint64_t address = kNowhere;
  std::vector<std::uint64_t> chunk;
  std::vector<Hdf5Filter> filters;
  std::vector<Hdf5External> external;
  std::vector<Hdf5Mapping> mappings;

  /// Elements in all, at most 2^63.
  [[nodiscard]] std::uint64_t count() const;
};

/// Where a chunk lies in the file.
struct Hdf5Place {
  std::uint64_t address = kNowhere;
  std::uint64_t bytes = 0;
  /// Bit i is set if filter i was not applied.
  std::uint32_t skipped = 0;
};

/// An attribute: its values as they lie in the file, texts of variable length without their final
/// zero.
struct Hdf5Attribute {
  std::string name;
  /// Why the attribute cannot be read; "" if it can.
  std::string wrong;
  Hdf5Type type;
  std::uint64_t count = 0;
  std::vector<std::uint8_t> values;
};

}  // namespace aprscope
