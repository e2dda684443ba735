#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// Private to core/io: numbers and texts from untrusted bytes, and back.

namespace aprscope {

/// Little-endian numbers from a piece of memory; reading past its end makes it invalid and gives 0.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool valid() const { return valid_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
  /// A number of up to 8 bytes.
  std::uint64_t number(std::size_t bytes);
  /// A text that its length (4 bytes) precedes, as ByteWriter::text() writes it.
  std::string text();
  /// The next bytes; none when there are fewer.
  std::span<const std::uint8_t> take(std::size_t bytes);
  /// A count (8 bytes) of things that take at least `least` bytes each: invalid when they cannot be
  /// there.
  std::size_t count(std::size_t least);

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  bool valid_ = true;
};

/// Writes numbers and texts as ByteReader reads them.
class ByteWriter {
 public:
  void number(std::uint64_t value, std::size_t bytes);
  void text(const std::string& text);
  void append(std::span<const std::uint8_t> bytes);
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

}  // namespace aprscope
