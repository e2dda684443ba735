#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace aprscope {

/// Walls in the order of their strengths, equally strong ones in that of their regions. Buckets
/// hold walls of similar strength; only the first bucket is ordered, as a heap. Most walls change
/// before their turn, and are thrown away when the turn of their bucket comes.
class WallQueue {
 public:
  struct Offer {
    /// Bits of the strength: they have its order, since no strength is negative.
    std::uint64_t bits = 0;
    /// The regions, the smaller number first.
    std::uint64_t regions = 0;
    std::uint32_t wall = 0;
    /// The wall's `change` when it was offered.
    std::uint32_t change = 0;

    [[nodiscard]] double strength() const { return std::bit_cast<double>(bits); }
    [[nodiscard]] bool before(const Offer& other) const {
      return bits != other.bits ? bits < other.bits : regions < other.regions;
    }
  };
  static std::uint64_t bits_of(double strength) { return std::bit_cast<std::uint64_t>(strength); }

  /// Buckets are fine up to this strength, and down to 2^-16 of it.
  explicit WallQueue(double largest)
      : base_(static_cast<std::int64_t>(bits_of(largest) >> kShift) - (kBuckets - 1)),
        buckets_(static_cast<std::size_t>(kBuckets)),
        first_(buckets_.size()) {}

  void push(const Offer& offer) {
    const auto at = static_cast<std::size_t>(std::clamp<std::int64_t>(
        static_cast<std::int64_t>(offer.bits >> kShift) - base_, 0, kBuckets - 1));
    Bucket& bucket = buckets_[at];
    bucket.offers.push_back(offer);
    if (bucket.is_heap) std::push_heap(bucket.offers.begin(), bucket.offers.end(), later);
    first_ = std::min(first_, at);
  }
  /// Takes the first offer that still holds; offers before it are dropped. False: there is no such
  /// offer.
  template <class Holds>
  bool pop(const Holds& holds, Offer& out) {
    for (; first_ < buckets_.size(); ++first_) {
      auto& [offers, is_heap] = buckets_[first_];
      if (!is_heap) {
        std::erase_if(offers, [&](const Offer& one) { return !holds(one); });
        std::make_heap(offers.begin(), offers.end(), later);
        is_heap = true;
      }
      while (!offers.empty()) {
        std::pop_heap(offers.begin(), offers.end(), later);
        out = offers.back();
        offers.pop_back();
        if (holds(out)) return true;
      }
      buckets_[first_] = {};
    }
    return false;
  }

 private:
  // The exponent and nine digits behind it: 512 buckets from each power of two to the next.
  static constexpr unsigned kShift = 43;
  static constexpr std::int64_t kBuckets = 16 * 512;
  struct Bucket {
    std::vector<Offer> offers;
    bool is_heap = false;
  };
  static bool later(const Offer& a, const Offer& b) { return b.before(a); }

  std::int64_t base_;
  std::vector<Bucket> buckets_;
  // No bucket before this one has an offer.
  std::size_t first_;
};

}  // namespace aprscope
