#pragma once

#include <memory>
#include <optional>
#include <span>

#include "core/topology/value_range.hpp"
#include "core/topology/value_set.hpp"

namespace aprscope {

/// What is known of values that come piece by piece, none of them NaN: between what the finite ones
/// lie, whether all of them are whole numbers, and which values there are. −0 is 0.
class ValueSurvey {
 public:
  /// Whether different values are listed: not at all; as long as they are at most 65536; all.
  /// Listing more takes longer.
  enum class Keep { none, few, all };

  explicit ValueSurvey(Keep keep) : keep_(keep) {}

  void add(std::span<const float> values);
  /// The range of the finite values; none: there were no finite values.
  [[nodiscard]] const std::optional<ValueRange<float>>& range() const { return range_; }
  [[nodiscard]] bool has_least_infinity() const { return below_; }
  [[nodiscard]] bool has_most_infinity() const { return above_; }
  [[nodiscard]] bool is_finite() const { return !below_ && !above_; }
  /// Null where there are more, or nobody wanted them.
  [[nodiscard]] const std::shared_ptr<ValueSet>& values() const { return values_; }
  /// Whether more values could tell more about which there are.
  [[nodiscard]] bool keeps_values() const { return keep_ != Keep::none; }

 private:
  Keep keep_;
  std::optional<ValueRange<float>> range_;
  bool below_ = false;
  bool above_ = false;
  std::shared_ptr<ValueSet> values_;
};

}  // namespace aprscope
