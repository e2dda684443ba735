#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace aprscope {

/// Sets of numbers below a count, of which each has one that stands for it; at first each number is
/// a set (Galler and Fischer 1964, with ways halved as they are gone).
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }
  /// Both must stand for their sets: `stays` does for both from then on.
  void put(std::uint32_t other, std::uint32_t stays) { parent_[other] = stays; }
  /// The sets of two numbers; false if they are one.
  bool unite(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    if (a < b) std::swap(a, b);
    put(a, b);
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace aprscope
