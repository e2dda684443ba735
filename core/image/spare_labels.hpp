#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace aprscope {

/// The memory of labels that nobody looks at any more, for the next ones of the same image: to get
/// as much from the system and to give it back takes longer than to write the labels. Every member
/// may be called from any thread.
class SpareLabels {
 public:
  /// Takes `size` labels of any values to reuse their memory; empty: none are kept of that size.
  [[nodiscard]] std::vector<std::uint32_t> take(std::size_t size) {
    const std::scoped_lock lock(mutex_);
    if (values_.size() != size) return {};
    return std::exchange(values_, {});
  }
  /// Keeps the memory of labels for the next take(); what was kept before is freed.
  void give(std::vector<std::uint32_t> values) {
    const std::scoped_lock lock(mutex_);
    values_.swap(values);
  }
  [[nodiscard]] std::uint64_t bytes() const {
    const std::scoped_lock lock(mutex_);
    return values_.size() * sizeof(std::uint32_t);
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::uint32_t> values_;
};

}  // namespace aprscope
