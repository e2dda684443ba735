#include "core/io/common/byte_reader.hpp"

namespace aprscope {

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

std::string ByteReader::text() {
  const auto taken = take(number(4));
  return {taken.begin(), taken.end()};
}

std::size_t ByteReader::count(std::size_t least) {
  const std::uint64_t n = number(8);
  if (!valid_ || n > left() / least) {
    valid_ = false;
    return 0;
  }
  return n;
}

void ByteWriter::number(std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
}

void ByteWriter::text(const std::string& text) {
  number(text.size(), 4);
  bytes_.insert(bytes_.end(), text.begin(), text.end());
}

void ByteWriter::append(std::span<const std::uint8_t> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

}  // namespace aprscope
