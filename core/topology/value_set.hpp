#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace aprscope {

/// Which values occur among floats, infinities too, and the rank of each among them: a bit for
/// each value that there could be, in chunks of neighbouring values that are made where some occur.
/// So the memory is bounded by how far values are spread (10 kB a chunk of 65536, 640 MB where they
/// are everywhere), not by how many there are. −0 is 0; NaN must not be among them.
class ValueSet {
 public:
  ValueSet() : chunks_(kChunks) {}

  /// Adds values; all threads take part. Throws std::bad_alloc.
  void add(std::span<const float> values);
  /// How many different values there are.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The values, rising.
  [[nodiscard]] std::vector<double> values() const;
  /// Prepares rank(), once no more values are to be added.
  void number();
  /// How many are less than this one, which is in it.
  [[nodiscard]] std::uint32_t rank(float value) const {
    const std::uint32_t key = key_of(value);
    const Chunk& chunk = *chunks_[key >> 16U];
    const std::uint32_t word = (key & 0xFFFFU) >> 6U;
    const std::uint64_t below = (std::uint64_t{1} << (key & 63U)) - 1;
    return chunk.first + chunk.before[word] +
           static_cast<std::uint32_t>(std::popcount(chunk.bits[word] & below));
  }

 private:
  static constexpr std::size_t kChunks = 65536;
  static constexpr std::size_t kWords = 1024;
  struct Chunk {
    std::array<std::uint64_t, kWords> bits{};
    // How many are in the words before, and in the chunks before.
    std::array<std::uint16_t, kWords> before{};
    std::uint32_t first = 0;
  };

  // Numbers in the order of the values.
  static std::uint32_t key_of(float value) {
    auto bits = std::bit_cast<std::uint32_t>(value);
    constexpr std::uint32_t kSign = std::uint32_t{1} << 31U;
    if (bits == kSign) bits = 0;
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  }
  static float value_of(std::uint32_t key) {
    constexpr std::uint32_t kSign = std::uint32_t{1} << 31U;
    return std::bit_cast<float>((key & kSign) != 0 ? key & ~kSign : ~key);
  }

  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::uint64_t count_ = 0;
};

}  // namespace aprscope
