#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/topology/value_range.hpp"

namespace aprscope {

/// What is known of values that come piece by piece, all finite: between what they lie, whether all
/// are whole numbers, and which there are, as long as they are not more than 65536. −0 is 0.
class ValueSurvey {
 public:
  /// `keep_values`: which there are is wanted, too; it takes longer.
  explicit ValueSurvey(bool keep_values) : keeps_(keep_values) {}

  void add(std::span<const float> values);
  /// None: there were no values.
  [[nodiscard]] const std::optional<ValueRange<float>>& range() const { return range_; }
  /// Rising; empty where there are more, or nobody wanted them.
  [[nodiscard]] const std::vector<float>& values() const { return values_; }
  /// Whether they are still few enough.
  [[nodiscard]] bool keeps_values() const { return keeps_; }

 private:
  bool keeps_;
  std::optional<ValueRange<float>> range_;
  std::vector<float> values_;
  // Memory that is used again.
  std::vector<float> piece_;
  std::vector<float> merged_;
};

}  // namespace aprscope
