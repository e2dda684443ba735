#include "core/topology/level_places.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace aprscope {
namespace {

constexpr std::size_t kMostLevels = 65536;
constexpr int kEvenLevels = 4096;

// Which values there are, see ValueSurvey; looks no further once there are too many.
ValueSurvey survey(std::span<const float> values, const JobContext& context) {
  constexpr std::size_t kPiece = std::size_t{1} << 18U;
  ValueSurvey found(true);
  for (std::size_t at = 0; at < values.size(); at += kPiece) {
    if (context.stop_requested() || !found.keeps_values()) break;
    found.add(values.subspan(at, std::min(kPiece, values.size() - at)));
  }
  return found;
}

}  // namespace

// t_j = first + (last − first) · (j + 1) ÷ count: what enters first is at or before the first one.
void LevelPlaces::space_evenly(double first, double last, int count) {
  kind_ = Kind::even;
  levels_.resize(static_cast<std::size_t>(first == last ? 1 : count));
  for (std::size_t j = 0; j < levels_.size(); ++j) {
    levels_[j] =
        first + (last - first) * static_cast<double>(j + 1) / static_cast<double>(levels_.size());
  }
  levels_.back() = last;
}

LevelPlaces LevelPlaces::of_whole_numbers(int least, int most, LevelSets sets, int count) {
  LevelPlaces out;
  out.falling_ = sets == LevelSets::superlevel;
  if (count > 0) {
    out.space_evenly(out.falling_ ? most : least, out.falling_ ? least : most, count);
    return out;
  }
  for (int level = least; level <= most; ++level) out.levels_.push_back(level);
  if (out.falling_) std::reverse(out.levels_.begin(), out.levels_.end());
  return out;
}

std::optional<LevelPlaces> LevelPlaces::of_range(const ValueRange<float>& range, LevelSets sets,
                                                 int count) {
  LevelPlaces out;
  out.falling_ = sets == LevelSets::superlevel;
  const double least = range.least;
  const double most = range.most;
  if (count > 0) {
    out.space_evenly(out.falling_ ? most : least, out.falling_ ? least : most, count);
    return out;
  }
  if (range.whole && std::abs(least) < 1e9 && most - least < static_cast<double>(kMostLevels)) {
    return of_whole_numbers(static_cast<int>(least), static_cast<int>(most), sets, 0);
  }
  return std::nullopt;
}

LevelPlaces LevelPlaces::of_values(std::vector<float> rising, const ValueRange<float>& range,
                                   LevelSets sets) {
  if (rising.empty()) return *of_range(range, sets, kEvenLevels);
  LevelPlaces out;
  out.falling_ = sets == LevelSets::superlevel;
  out.kind_ = Kind::ranks;
  out.sorted_ = std::move(rising);
  out.levels_.assign(out.sorted_.begin(), out.sorted_.end());
  if (out.falling_) std::reverse(out.levels_.begin(), out.levels_.end());
  return out;
}

Result<LevelPlaces> LevelPlaces::of(std::span<const float> values, LevelSets sets, int count,
                                    const JobContext& context) {
  if (values.empty()) return LevelPlaces();
  const ValueRange<float> range = value_range(values);
  if (auto out = of_range(range, sets, count)) return *std::move(out);
  const ValueSurvey found = survey(values, context);
  if (context.stop_requested()) return cancelled_error();
  return of_values(found.values(), range, sets);
}

LevelPlaces LevelPlaces::of(const ValueSurvey& survey, LevelSets sets, int count) {
  if (!survey.range()) return {};
  if (auto out = of_range(*survey.range(), sets, count)) return *std::move(out);
  return of_values(survey.values(), *survey.range(), sets);
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
      const auto last = static_cast<std::int64_t>(sorted_.size()) - 1;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto rank =
            std::lower_bound(sorted_.begin(), sorted_.end(), static_cast<float>(values[i])) -
            sorted_.begin();
        places[i] = static_cast<Place>(falling_ ? last - rank : rank);
      }
      return;
    }
    case Kind::even: {
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

template void LevelPlaces::find(std::span<const std::uint8_t>, std::span<std::uint8_t>) const;
template void LevelPlaces::find(std::span<const std::uint16_t>, std::span<std::uint8_t>) const;
template void LevelPlaces::find(std::span<const float>, std::span<std::uint8_t>) const;
template void LevelPlaces::find(std::span<const std::uint8_t>, std::span<std::uint16_t>) const;
template void LevelPlaces::find(std::span<const std::uint16_t>, std::span<std::uint16_t>) const;
template void LevelPlaces::find(std::span<const float>, std::span<std::uint16_t>) const;

}  // namespace aprscope
