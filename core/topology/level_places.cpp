#include "core/topology/level_places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace aprscope {
namespace {

constexpr std::size_t kMostLevels = 65536;
constexpr int kEvenLevels = 4096;

// Which values occur; `only_values`: stops as soon as there are too many to list.
ValueSurvey survey(std::span<const float> values, const LevelChoice& choice, bool only_values,
                   const JobContext& context) {
  constexpr std::size_t kPiece = std::size_t{1} << 18U;
  ValueSurvey found(LevelPlaces::values_wanted(choice));
  for (std::size_t at = 0; at < values.size(); at += kPiece) {
    if (context.stop_requested() || (only_values && !found.keeps_values())) break;
    context.report(static_cast<double>(at) / static_cast<double>(values.size()), "values");
    found.add(values.subspan(at, std::min(kPiece, values.size() - at)));
  }
  return found;
}

}  // namespace

ValueSurvey::Keep LevelPlaces::values_wanted(const LevelChoice& choice) {
  if (choice.count > 0 || !choice.thresholds.empty()) return ValueSurvey::Keep::none;
  return choice.every ? ValueSurvey::Keep::all : ValueSurvey::Keep::few;
}

// t_j = first + (last − first) · (j + 1) ÷ count: what enters first is at or before the first one.
void LevelPlaces::space_evenly(double least, double most, int count) {
  kind_ = Kind::thresholds;
  const double first = falling_ ? most : least;
  const double last = falling_ ? least : most;
  levels_.resize(static_cast<std::size_t>(first == last ? 1 : count));
  for (std::size_t j = 0; j < levels_.size(); ++j) {
    levels_[j] =
        first + (last - first) * static_cast<double>(j + 1) / static_cast<double>(levels_.size());
  }
  levels_.back() = last;
}

// Adds an infinite level, for what enters after all others.
void LevelPlaces::add_infinity() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  levels_.push_back(falling_ ? -kInfinity : kInfinity);
}

LevelPlaces LevelPlaces::of_whole_numbers(int least, int most, LevelSets sets,
                                          const LevelChoice& choice) {
  LevelPlaces out;
  out.falling_ = sets == LevelSets::superlevel;
  if (choice.thresholds.empty() && choice.count == 0) {
    for (int level = least; level <= most; ++level) out.levels_.push_back(level);
    if (out.falling_) std::reverse(out.levels_.begin(), out.levels_.end());
    return out;
  }
  const ValueRange<float> range{static_cast<float>(least), static_cast<float>(most), true};
  out = *of_range(range, true, sets, choice);
  out.first_ = least;
  for (int value = least; value <= most; ++value) {
    out.places_.push_back(static_cast<std::uint16_t>(out.place_among(value)));
  }
  return out;
}

std::optional<LevelPlaces> LevelPlaces::of_range(const std::optional<ValueRange<float>>& range,
                                                 bool finite, LevelSets sets,
                                                 const LevelChoice& choice) {
  LevelPlaces out;
  out.falling_ = sets == LevelSets::superlevel;
  if (!choice.thresholds.empty()) {
    out.kind_ = Kind::thresholds;
    out.given_ = true;
    out.levels_ = choice.thresholds;
    if (out.falling_) std::reverse(out.levels_.begin(), out.levels_.end());
    out.add_infinity();
    return out;
  }
  // Without finite values there is no range to space levels in.
  if (!range) return std::nullopt;
  const double least = range->least;
  const double most = range->most;
  if (choice.count > 0) {
    out.space_evenly(least, most, choice.count);
    if (!finite) out.add_infinity();
    return out;
  }
  if (finite && range->whole && std::abs(least) < 1e9 &&
      most - least < static_cast<double>(kMostLevels)) {
    return of_whole_numbers(static_cast<int>(least), static_cast<int>(most), sets, 0);
  }
  return std::nullopt;
}

LevelPlaces LevelPlaces::of_values(const std::shared_ptr<ValueSet>& values, LevelSets sets) {
  LevelPlaces out;
  out.falling_ = sets == LevelSets::superlevel;
  out.kind_ = Kind::ranks;
  values->number();
  out.values_ = values;
  out.levels_ = values->values();
  if (out.falling_) std::reverse(out.levels_.begin(), out.levels_.end());
  return out;
}

Result<LevelPlaces> LevelPlaces::of(std::span<const float> values, LevelSets sets,
                                    const LevelChoice& choice, const JobContext& context) {
  if (values.empty()) return LevelPlaces();
  const ValueRange<float> range = value_range(values);
  const bool finite = std::isfinite(range.least) && std::isfinite(range.most);
  if (finite) {
    if (auto out = of_range(range, true, sets, choice)) return *std::move(out);
  }
  const ValueSurvey found = survey(values, choice, finite, context);
  if (context.stop_requested()) return cancelled_error();
  if (!finite) return of(found, sets, choice);
  return found.values() ? of_values(found.values(), sets)
                        : *of_range(range, true, sets, kEvenLevels);
}

LevelPlaces LevelPlaces::of(const ValueSurvey& survey, LevelSets sets, const LevelChoice& choice) {
  if (auto out = of_range(survey.range(), survey.is_finite(), sets, choice)) return *std::move(out);
  if (survey.values()) return of_values(survey.values(), sets);
  if (survey.range()) return *of_range(survey.range(), survey.is_finite(), sets, kEvenLevels);
  // Infinities alone, of which nobody wanted to know which.
  LevelPlaces out;
  out.falling_ = sets == LevelSets::superlevel;
  out.kind_ = Kind::thresholds;
  if (survey.has_least_infinity() || survey.has_most_infinity()) out.add_infinity();
  return out;
}

// The first of the thresholds that a value has entered at, or else the last of them.
std::size_t LevelPlaces::place_among(double value) const {
  const auto end = levels_.end() - 1;
  const auto at = falling_ ? std::lower_bound(levels_.begin(), end, value, std::greater<>())
                           : std::lower_bound(levels_.begin(), end, value);
  return static_cast<std::size_t>(at - levels_.begin());
}

template <class T, class Place>
void LevelPlaces::find(std::span<const T> values, std::span<Place> places) const {
  switch (kind_) {
    case Kind::whole_numbers: {
      // The first level has place 0.
      if constexpr (std::is_integral_v<T>) {
        // Differences are right in the narrow type, whatever is carried out of it; −v is ~v + 1.
        const auto first = static_cast<int>(levels_.front());
        const auto turned = static_cast<Place>(falling_ ? -1 : 0);
        const auto start = static_cast<Place>(falling_ ? first + 1 : -first);
        for (std::size_t i = 0; i < values.size(); ++i) {
          places[i] = static_cast<Place>((static_cast<Place>(values[i]) ^ turned) + start);
        }
      } else {
        const auto first = static_cast<float>(levels_.front());
        const float turn = falling_ ? -1.0F : 1.0F;
        for (std::size_t i = 0; i < values.size(); ++i) {
          places[i] = static_cast<Place>(static_cast<int>(turn * (values[i] - first)));
        }
      }
      return;
    }
    case Kind::ranks: {
      const auto last = static_cast<std::uint32_t>(levels_.size() - 1);
      for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint32_t rank = values_->rank(static_cast<float>(values[i]));
        places[i] = static_cast<Place>(falling_ ? last - rank : rank);
      }
      return;
    }
    case Kind::thresholds: {
      if constexpr (std::is_integral_v<T>) {
        if (!places_.empty()) {
          for (std::size_t i = 0; i < values.size(); ++i) {
            places[i] = static_cast<Place>(places_[static_cast<std::size_t>(values[i] - first_)]);
          }
          return;
        }
      }
      if (given_ || !std::isfinite(levels_.back())) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          places[i] = static_cast<Place>(place_among(static_cast<double>(values[i])));
        }
        return;
      }
      const auto count = static_cast<double>(levels_.size());
      const double begin = levels_.size() > 1 ? 2.0 * levels_[0] - levels_[1] : levels_[0];
      const double range = levels_.back() - begin;
      const double scale = range != 0.0 ? count / range : 0.0;
      const bool falling = falling_;
      const std::span<const double> levels = levels_;
      const auto before = [falling](double level, double v) {
        return falling ? level > v : level < v;
      };
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto v = static_cast<double>(values[i]);
        // A guess by multiplication, put right against the levels themselves.
        auto j =
            static_cast<std::size_t>(std::clamp(std::floor((v - begin) * scale), 0.0, count - 1.0));
        while (j > 0 && !before(levels[j - 1], v)) --j;
        while (j + 1 < levels.size() && before(levels[j], v)) ++j;
        places[i] = static_cast<Place>(j);
      }
      return;
    }
  }
}

#define APRSCOPE_PLACES(Place)                                                             \
  template void LevelPlaces::find(std::span<const std::uint8_t>, std::span<Place>) const;  \
  template void LevelPlaces::find(std::span<const std::uint16_t>, std::span<Place>) const; \
  template void LevelPlaces::find(std::span<const float>, std::span<Place>) const
APRSCOPE_PLACES(std::uint8_t);
APRSCOPE_PLACES(std::uint16_t);
APRSCOPE_PLACES(std::uint32_t);
#undef APRSCOPE_PLACES

}  // namespace aprscope
