#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"
#include "core/topology/strata.hpp"
#include "core/topology/value_survey.hpp"

namespace aprscope {

/// The levels of an image in the order in which they enter, and the place of each value among them.
/// Places fit 16 bits.
class LevelPlaces {
 public:
  /// For values from `least` to `most`, all finite. `count` 0: every value that occurs, where they
  /// are whole numbers in a range of 65536 or no more than 65536 different ones, else 4096 levels;
  /// more than 0: so many levels, evenly spaced, the last of them the value that enters last: what
  /// is counted at each is exact, since only {f ≤ t} counts. Errors: cancelled.
  static Result<LevelPlaces> of(std::span<const float> values, LevelSets sets, int count,
                                const JobContext& context = {});
  /// The same for values that were looked at already, those that occur included where `count` is 0.
  static LevelPlaces of(const ValueSurvey& survey, LevelSets sets, int count);
  /// The same for whole numbers from `least` to `most`, in a range of 65536.
  static LevelPlaces of_whole_numbers(int least, int most, LevelSets sets, int count);

  /// Values in the order in which they enter: falling for superlevel sets.
  [[nodiscard]] const std::vector<double>& levels() const { return levels_; }
  /// Whether levels are evenly spaced, instead of the values that occur.
  [[nodiscard]] bool is_even() const { return kind_ == Kind::even; }
  /// Whether the place of a value is its distance from the first level.
  [[nodiscard]] bool are_distances() const { return kind_ == Kind::whole_numbers; }
  /// Up to 256 levels fit a byte.
  [[nodiscard]] bool fits_byte() const { return levels_.size() <= 256; }

  /// Places of values that it was made for.
  template <class T, class Place>
  void find(std::span<const T> values, std::span<Place> places) const;

 private:
  enum class Kind { whole_numbers, ranks, even };

  // Where it does not matter which values there are; none: it does.
  static std::optional<LevelPlaces> of_range(const ValueRange<float>& range, LevelSets sets,
                                             int count);
  // Empty: there are too many.
  static LevelPlaces of_values(std::vector<float> rising, const ValueRange<float>& range,
                               LevelSets sets);

  void space_evenly(double first, double last, int count);

  Kind kind_ = Kind::whole_numbers;
  bool falling_ = false;
  std::vector<double> levels_;
  /// Of ranks: rising.
  std::vector<float> sorted_;
};

}  // namespace aprscope
