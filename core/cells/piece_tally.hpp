#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

namespace aprscope {

/// Least first pixels and sums of pixels of pieces, from parts of them that one thread adds: those
/// in a row, which mostly are of one piece, at once. All is there when it is gone.
class PieceTally {
 public:
  /// By piece; what is not met yet has the largest number for its first pixel.
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
