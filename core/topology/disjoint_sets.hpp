#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace aprscope {

/// Disjoint sets of the numbers below a count, each with a representative; at first each number is
/// a set (union–find: Galler and Fischer 1964, with path halving).
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
  /// Unites two sets by their representatives: `stays` represents both from then on.
  void put(std::uint32_t other, std::uint32_t stays) { parent_[other] = stays; }
  /// Unites the sets of two numbers; false if they are one already.
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
