#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/image/volume.hpp"
#include "core/topology/strata.hpp"
#include "core/topology/value_survey.hpp"

namespace aprscope {

/// The thresholds t at which an image is measured. Counts at each threshold are exact for any
/// choice, since they depend on {f ≤ t} only.
struct LevelChoice {
  LevelChoice(int wanted = 0) : count(wanted) {}  // NOLINT: a number says it all

  /// Number of levels, evenly spaced between the values; the last is the finite value that enters
  /// last. 0: every value that occurs, where they are whole numbers in a range of 65536 or no more
  /// than 65536 different ones, else 4096 levels.
  int count;
  /// With `count` 0: every value that occurs, however many there are.
  bool every = false;
  /// Thresholds to use instead: finite, rising, at most 65535. Empty: `count` counts.
  std::vector<double> thresholds;
};

/// The levels of an image in the order in which they enter, and the place of each value among them.
/// Places fit 16 bits, but where every value is wanted. An infinite value that is among the values,
/// and what enters after the last of given thresholds, has a level of its own, ∞ or −∞.
class LevelPlaces {
 public:
  /// The levels of values of which none is NaN. Errors: cancelled. Throws std::bad_alloc.
  static Result<LevelPlaces> of(std::span<const float> values, LevelSets sets,
                                const LevelChoice& choice, const JobContext& context = {});
  /// The levels of values that were surveyed already, keeping values_wanted().
  static LevelPlaces of(const ValueSurvey& survey, LevelSets sets, const LevelChoice& choice);
  static ValueSurvey::Keep values_wanted(const LevelChoice& choice);
  /// The levels of whole numbers from `least` to `most`, in a range of at most 65536.
  static LevelPlaces of_whole_numbers(int least, int most, LevelSets sets,
                                      const LevelChoice& choice);

  /// Values in the order in which they enter: falling for superlevel sets.
  [[nodiscard]] const std::vector<double>& levels() const { return levels_; }
  /// Whether levels are evenly spaced, instead of the values that occur.
  [[nodiscard]] bool is_even() const { return kind_ == Kind::thresholds && !given_; }
  /// Whether thresholds were given: then each has a row, also where no value lies.
  [[nodiscard]] bool are_given() const { return given_; }
  /// Whether the place of a value is its distance from the first level.
  [[nodiscard]] bool are_distances() const { return kind_ == Kind::whole_numbers; }
  /// Up to 256 levels fit a byte, up to 65536 two.
  [[nodiscard]] bool fits_byte() const { return levels_.size() <= 256; }
  [[nodiscard]] bool fits_two_bytes() const { return levels_.size() <= 65536; }

  /// Finds the places of values that this object was made for.
  template <class T, class Place>
  void find(std::span<const T> values, std::span<Place> places) const;

 private:
  enum class Kind { whole_numbers, ranks, thresholds };

  // Levels that follow from the range alone; none: the values themselves are needed.
  static std::optional<LevelPlaces> of_range(const std::optional<ValueRange<float>>& range,
                                             bool finite, LevelSets sets,
                                             const LevelChoice& choice);
  static LevelPlaces of_values(const std::shared_ptr<ValueSet>& values, LevelSets sets);

  void space_evenly(double least, double most, int count);
  void add_infinity();
  [[nodiscard]] std::size_t place_among(double value) const;

  Kind kind_ = Kind::whole_numbers;
  bool falling_ = false;
  bool given_ = false;
  std::vector<double> levels_;
  /// Only for ranks: the values that occur.
  std::shared_ptr<const ValueSet> values_;
  /// Only for thresholds and whole numbers: the places of the numbers from `first_` on.
  int first_ = 0;
  std::vector<std::uint16_t> places_;
};

}  // namespace aprscope
