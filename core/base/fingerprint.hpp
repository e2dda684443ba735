#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace aprscope {

/// A number made of many values, a word at a time, by the finalizer of SplitMix64 (Steele et al.
/// 2014), which mixes all bits: what differs has the same number by chance of 2⁻⁶⁴. It does not
/// withstand forgery.
class Fingerprint {
 public:
  template <class T>
  void add(T value) {
    if constexpr (std::is_floating_point_v<T>) {
      add_word(bits_of(static_cast<double>(value)));
    } else {
      add_word(static_cast<std::uint64_t>(value));
    }
  }
  void add(std::string_view text) {
    add_word(text.size());
    for (const char letter : text) add_word(static_cast<unsigned char>(letter));
  }
  template <class... T>
  void add_all(const T&... values) {
    (add(values), ...);
  }
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  // All NaN count as the same value: "the file does not say".
  static std::uint64_t bits_of(double value) {
    return std::bit_cast<std::uint64_t>(std::isnan(value) ? std::numeric_limits<double>::quiet_NaN()
                                                          : value);
  }
  void add_word(std::uint64_t word) {
    std::uint64_t z = (state_ ^ word) + 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    state_ = z ^ (z >> 31U);
  }

  std::uint64_t state_ = 0;
};

}  // namespace aprscope
