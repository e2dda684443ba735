#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

namespace aprscope {

/// Least first pixels and sums of pixels of pieces, from parts that one thread adds; successive
/// parts of one piece are added at once. The sums are complete when the tally is destroyed.
class PieceTally {
 public:
  /// Sums by piece; `first` begins with the largest number for pieces that are not met yet.
  PieceTally(std::vector<std::uint64_t>& first, std::vector<std::uint64_t>& pixels)
      : first_(first), pixels_(pixels) {}
  PieceTally(const PieceTally&) = delete;
  PieceTally& operator=(const PieceTally&) = delete;
  ~PieceTally() { flush(); }

  void add(std::uint32_t piece, std::uint64_t first, std::uint64_t pixels) {
    if (piece != piece_) {
      flush();
      piece_ = piece;
      least_ = first;
    }
    least_ = std::min(least_, first);
    sum_ += pixels;
  }

 private:
  void flush() {
    if (sum_ == 0) return;
    const std::atomic_ref least(first_[piece_]);
    std::uint64_t now = least.load(std::memory_order_relaxed);
    while (least_ < now && !least.compare_exchange_weak(now, least_, std::memory_order_relaxed)) {
    }
    std::atomic_ref(pixels_[piece_]).fetch_add(sum_, std::memory_order_relaxed);
    sum_ = 0;
  }

  std::vector<std::uint64_t>& first_;
  std::vector<std::uint64_t>& pixels_;
  std::uint32_t piece_ = 0;
  std::uint64_t least_ = ~std::uint64_t{0};
  std::uint64_t sum_ = 0;
};

}  // namespace aprscope
