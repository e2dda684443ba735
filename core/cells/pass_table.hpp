#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "core/cells/basin_tree.hpp"

namespace aprscope {

/// The lowest pass between each two of some pieces: in a small table that stays in the cache, where
/// the same pair mostly comes again soon, and behind it a large one with open addresses.
class PassTable {
 public:
  PassTable() : recent_(kRecent) {}

  /// Adds a pass between two pieces; first < second.
  void add(std::uint32_t first, std::uint32_t second, const BasinPass& pass) {
    const std::uint64_t key = (std::uint64_t{first} << 32U) | second;
    Slot& slot = recent_[hashed(key) & (kRecent - 1)];
    if (slot.key == key) {
      lower_to(slot.pass, pass);
      return;
    }
    if (slot.key != kFree) put(slot);
    slot = {key, pass};
  }
  /// Empties the small table and appends all passes, in no order. Nothing may be added afterwards.
  void append_to(std::vector<BasinPass>& out) {
    for (const Slot& slot : recent_) {
      if (slot.key != kFree) put(slot);
    }
    recent_.clear();
    for (const Slot& slot : slots_) {
      if (slot.key != kFree) out.push_back(slot.pass);
    }
  }

 private:
  // Marks a free slot, as no piece has the number 0.
  static constexpr std::uint64_t kFree = 0;
  static constexpr std::size_t kRecent = std::size_t{1} << 12;
  struct Slot {
    std::uint64_t key = kFree;
    BasinPass pass;
  };
  static void lower_to(BasinPass& pass, const BasinPass& other) {
    if (std::tie(other.height, other.a, other.b) < std::tie(pass.height, pass.a, pass.b)) {
      pass = other;
    }
  }
  static std::size_t hashed(std::uint64_t key) {
    const std::uint64_t hash = key * 0x9E3779B97F4A7C15ULL;
    return static_cast<std::size_t>(hash ^ (hash >> 32U));
  }
  void put(const Slot& one) {
    if (3 * (used_ + 1) > 2 * slots_.size()) grow();
    Slot& slot = slots_[place(one.key)];
    if (slot.key == kFree) {
      slot = one;
      ++used_;
    } else {
      lower_to(slot.pass, one.pass);
    }
  }
  [[nodiscard]] std::size_t place(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    auto at = hashed(key) & mask;
    while (slots_[at].key != kFree && slots_[at].key != key) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 1024 : 2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.key != kFree) slots_[place(slot.key)] = slot;
    }
  }

  std::vector<Slot> recent_;
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

}  // namespace aprscope
