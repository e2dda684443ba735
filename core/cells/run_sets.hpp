#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"

namespace aprscope {

/// Disjoint sets of numbers below a count that any number of threads may unite at once: the least
/// number of a set stands for it, so that the outcome does not depend on who was first. (Hooking by
/// compare and swap: Anderson and Woll, Wait-free parallel algorithms for the union-find problem,
/// 1991.)
class RunSets {
 public:
  explicit RunSets(std::uint32_t count) : parent_(count) {
    std::uint32_t* const parent = parent_.data();
    parallel_for(count, threads_for(count, std::int64_t{1} << 17U),
                 [parent](std::int64_t i) { parent[i] = static_cast<std::uint32_t>(i); });
  }

  std::uint32_t find(std::uint32_t i) {
    while (true) {
      const std::uint32_t up = load(i);
      if (up == i) return i;
      const std::uint32_t above = load(up);
      if (above == up) return up;
      // Ways only become shorter, whoever writes.
      std::atomic_ref(parent_.data()[i]).store(above, std::memory_order_relaxed);
      i = above;
    }
  }

  void unite(std::uint32_t a, std::uint32_t b) {
    // Most are one already, and near what stands for them.
    if (load(a) == load(b)) return;
    while (true) {
      a = find(a);
      b = find(b);
      if (a == b) return;
      if (a < b) std::swap(a, b);
      std::uint32_t expected = a;
      if (std::atomic_ref(parent_.data()[a])
              .compare_exchange_strong(expected, b, std::memory_order_relaxed)) {
        return;
      }
    }
  }

 private:
  std::uint32_t load(std::uint32_t i) {
    return std::atomic_ref(parent_.data()[i]).load(std::memory_order_relaxed);
  }

  Scratch<std::uint32_t> parent_;
};

}  // namespace aprscope
