#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aprscope {

/// Numbers 0, 1, … for labels, in the order in which they are met, in memory of the number of
/// labels, not of the largest one: label images of other tools have gaps.
class LabelSlots {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  /// Slots for labels from 1 to `largest`.
  explicit LabelSlots(std::uint32_t largest);

  /// kNone where it was not met.
  [[nodiscard]] std::uint32_t find(std::uint32_t label) const {
    if (!direct_.empty()) return direct_[label];
    for (std::size_t at = place(label);; at = (at + 1) & (keys_.size() - 1)) {
      if (keys_[at] == label) return slots_[at];
      if (keys_[at] == 0) return kNone;
    }
  }
  std::uint32_t find_or_add(std::uint32_t label) {
    const std::uint32_t slot = find(label);
    return slot != kNone ? slot : add(label);
  }
  /// The labels of the slots, in their order.
  [[nodiscard]] const std::vector<std::uint32_t>& labels() const { return labels_; }
  [[nodiscard]] std::size_t size() const { return labels_.size(); }
  /// Forgets all labels.
  void clear();

 private:
  [[nodiscard]] std::size_t place(std::uint32_t label) const {
    return static_cast<std::size_t>((label * 0x9E3779B97F4A7C15ULL) >> 32U) & (keys_.size() - 1);
  }
  std::uint32_t add(std::uint32_t label);
  void put(std::uint32_t label, std::uint32_t slot);

  std::vector<std::uint32_t> labels_;
  // Slot of each label where these are small numbers, else a table with open addressing (key 0:
  // free).
  std::vector<std::uint32_t> direct_;
  std::vector<std::uint32_t> keys_;
  std::vector<std::uint32_t> slots_;
};

/// How many different labels there are without 0, in memory of as many. `largest`: none is larger.
std::uint64_t count_labels(std::span<const std::uint32_t> values, std::uint32_t largest);

}  // namespace aprscope
