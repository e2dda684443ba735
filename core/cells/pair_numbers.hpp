#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace aprscope {

/// Numbers pairs of labels other than 0 as they are met, from 0 on, in a table with open addresses.
class PairNumbers {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  static std::uint64_t key(std::uint32_t a, std::uint32_t b) {
    return a < b ? (std::uint64_t{a} << 32U) | b : (std::uint64_t{b} << 32U) | a;
  }
  std::uint32_t number(std::uint64_t key) {
    if (3 * (keys_.size() + 1) > 2 * slots_.size()) grow();
    Slot& slot = slots_[place(key)];
    if (slot.key == 0) {
      slot = {key, static_cast<std::uint32_t>(keys_.size())};
      keys_.push_back(key);
    }
    return slot.number;
  }
  /// The number of a pair; kNone: the pair is unknown.
  [[nodiscard]] std::uint32_t find(std::uint64_t key) const {
    if (slots_.empty()) return kNone;
    const Slot& slot = slots_[place(key)];
    return slot.key == 0 ? kNone : slot.number;
  }
  /// The keys of all pairs, by number.
  [[nodiscard]] const std::vector<std::uint64_t>& keys() const { return keys_; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t number = 0;
  };
  [[nodiscard]] std::size_t place(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::uint64_t hash = key * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32U;
    auto at = static_cast<std::size_t>(hash) & mask;
    while (slots_[at].key != 0 && slots_[at].key != key) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 256 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.key != 0) slots_[place(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace aprscope
