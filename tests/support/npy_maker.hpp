#pragma once

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace aprscope::test {

/// Bytes of a structured array as the description of NumPy's format has them, version 1 or 2.
class NpyMaker {
 public:
  /// `descr` as Python writes it: "[('uid', '<u8'), ('a/b', '<f4', (3,))]".
  static std::string header(const std::string& descr, const std::string& shape, int version = 1) {
    return of_literal("{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }",
                      version);
  }
  /// Padded with blanks so that rows begin at a multiple of 64.
  static std::string of_literal(std::string literal, int version = 1) {
    const std::size_t before = version == 1 ? 10 : 12;
    while ((before + literal.size() + 1) % 64 != 0) literal += ' ';
    literal += '\n';
    std::string out("\x93NUMPY", 6);
    out += static_cast<char>(version);
    out += '\0';
    for (std::size_t i = 0; i < before - 8; ++i) {
      out += static_cast<char>((literal.size() >> (8 * i)) & 255U);
    }
    return out + literal;
  }

  NpyMaker& real(float value) { return put(std::bit_cast<std::uint32_t>(value), 4); }
  NpyMaker& real8(double value) { return put(std::bit_cast<std::uint64_t>(value), 8); }
  NpyMaker& whole(std::uint64_t value, std::size_t bytes = 4) { return put(value, bytes); }
  /// With zeros behind it.
  NpyMaker& text(const std::string& value, std::size_t bytes) {
    std::string padded = value;
    padded.resize(bytes, '\0');
    bytes_ += padded;
    return *this;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  static void write(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

 private:
  NpyMaker& put(std::uint64_t value, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      bytes_ += static_cast<char>((value >> (8 * i)) & 255U);
    }
    return *this;
  }
  std::string bytes_;
};

}  // namespace aprscope::test
