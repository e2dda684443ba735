#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace aprscope::test {

/// Bytes of MRC and SPIDER files, word by word as the formats' descriptions count them, from 1.
class EmMaker {
 public:
  explicit EmMaker(bool big_endian = false) : big_(big_endian), bytes_(1024, '\0') {}

  EmMaker& integer(std::size_t word, std::int32_t value) {
    return put(4 * (word - 1), static_cast<std::uint32_t>(value), 4);
  }
  EmMaker& real(std::size_t word, float value) {
    return put(4 * (word - 1), std::bit_cast<std::uint32_t>(value), 4);
  }
  EmMaker& text(std::size_t word, const std::string& value) {
    bytes_.replace(4 * (word - 1), value.size(), value);
    return *this;
  }

  /// A header of MRC2014 with a cell of `voxel` Å a voxel.
  static EmMaker mrc(std::array<std::int32_t, 3> size, std::int32_t mode, float voxel,
                     bool big_endian = false) {
    EmMaker made(big_endian);
    for (std::size_t i = 0; i < 3; ++i) {
      made.integer(1 + i, size[i]).integer(8 + i, size[i]);
      made.real(11 + i, voxel * static_cast<float>(size[i])).real(14 + i, 90.0F);
      made.integer(17 + i, static_cast<std::int32_t>(i) + 1);
    }
    made.integer(4, mode).integer(23, 1).integer(28, 20141).text(53, "MAP ");
    made.bytes_.replace(
        212, 4, big_endian ? std::string("\x11\x11\0\0", 4) : std::string("\x44\x44\0\0", 4));
    return made;
  }

  /// SPIDER: type 1 an image, 3 a map; `images` > 0: a stack.
  static EmMaker spider(std::array<int, 3> size, int type, int images, bool big_endian = false) {
    const int record = 4 * size[0];
    const int records = (1023 + record) / record;
    EmMaker made(big_endian);
    made.bytes_.assign(static_cast<std::size_t>(records * record), '\0');
    const auto real = [&](std::size_t word, int value) {
      made.real(word, static_cast<float>(value));
    };
    real(1, size[2]);
    real(2, size[1]);
    real(5, type);
    real(12, size[0]);
    real(13, records);
    real(22, records * record);
    real(23, record);
    if (images > 0) real(24, 2);
    if (images > 0) real(26, images);
    return made;
  }

  /// Samples after what is there.
  template <class T>
  EmMaker& append(const std::vector<T>& values) {
    for (const T value : values) {
      std::array<char, sizeof(T)> raw{};
      std::memcpy(raw.data(), &value, sizeof(T));
      if (big_) std::reverse(raw.begin(), raw.end());
      bytes_.append(raw.data(), raw.size());
    }
    return *this;
  }
  EmMaker& append(const EmMaker& other) {
    bytes_ += other.bytes_;
    return *this;
  }

  std::string& bytes() { return bytes_; }
  void write(const std::filesystem::path& path) const {
    std::ofstream(path, std::ios::binary) << bytes_;
  }

 private:
  EmMaker& put(std::size_t at, std::uint32_t bits, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      bytes_[at + i] = static_cast<char>(bits >> (8 * (big_ ? size - 1 - i : i)));
    }
    return *this;
  }
  bool big_;
  std::string bytes_;
};

inline void write_text_file(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace aprscope::test
