#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// Private to core/io: bounds within single messages of HDF5 object headers.

namespace aprscope {

/// Little-endian numbers from a piece of memory; reading past its end makes it invalid and gives 0.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool valid() const { return valid_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
  std::uint64_t number(std::size_t bytes);
  void skip(std::size_t bytes) { take(bytes); }
  /// The next bytes as a reader of its own.
  ByteReader part(std::size_t bytes) { return ByteReader(take(bytes)); }
  /// Skips a text and its final zero; invalid when there is none.
  void skip_text();
  /// Skips to a multiple of 8 bytes after `start`.
  void align(std::size_t start);
  [[nodiscard]] std::size_t position() const { return at_; }

 private:
  std::span<const std::uint8_t> take(std::size_t bytes);

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  bool valid_ = true;
};

/// True if the encoded datatype (message 3) keeps within the reader's bytes. `size`, if not null,
/// receives the bytes of one value.
bool datatype_fits(ByteReader& in, std::uint64_t* size = nullptr, int depth = 0);

/// True if the encoded dataspace (message 1) keeps within the reader's bytes. `count`, if not null,
/// receives the number of values, at most 2^63.
bool dataspace_fits(ByteReader& in, std::uint64_t* count = nullptr);

/// True if the data layout (message 8) keeps within the reader's bytes and its chunks are not
/// empty: the library divides by their extent.
bool layout_fits(ByteReader in);

/// True if the attribute (message 12) and what is in it keep within the reader's bytes.
bool attribute_fits(ByteReader in);

}  // namespace aprscope
