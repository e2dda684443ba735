#include "core/topology/streamed_strata.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <future>
#include <new>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "core/topology/no_order.hpp"
#include "core/topology/pixel_strata.hpp"
#include "core/topology/value_survey.hpp"

namespace aprscope {
namespace {

// Some slices of an image, in the order of its file.
class Slab {
 public:
  // Reads slices [begin, end); copies those that the slab before holds already.
  Status read(SliceSource& source, std::int64_t begin, std::int64_t end, const Slab& before,
              const JobContext& context) {
    const Size3 n = source.size();
    slice_bytes_ = static_cast<std::size_t>(n.x * n.y) * sample_bytes(source.kind());
    begin_ = begin;
    end_ = end;
    bytes_.resize(static_cast<std::size_t>(end - begin) * slice_bytes_);
    for (std::int64_t z = begin; z < end; ++z) {
      if (z >= before.begin_ && z < before.end_) {
        std::memcpy(slice(z), before.slice(z), slice_bytes_);
      } else if (Status done = source.read(z, slice(z), context); !done) {
        return done;
      }
    }
    return {};
  }
  template <class T>
  [[nodiscard]] std::span<const T> row(std::int64_t z, std::int64_t x, std::int64_t width) const {
    return {reinterpret_cast<const T*>(slice(z)) + x * width, static_cast<std::size_t>(width)};
  }

 private:
  [[nodiscard]] char* slice(std::int64_t z) {
    return bytes_.data() + static_cast<std::size_t>(z - begin_) * slice_bytes_;
  }
  [[nodiscard]] const char* slice(std::int64_t z) const {
    return bytes_.data() + static_cast<std::size_t>(z - begin_) * slice_bytes_;
  }

  std::vector<char> bytes_;
  std::size_t slice_bytes_ = 0;
  std::int64_t begin_ = 0;
  std::int64_t end_ = 0;
};

template <class T, class Place>
class SlabCounter {
 public:
  SlabCounter(SliceSource& source, const LevelPlaces& places, Construction construction,
              std::uint64_t memory)
      : source_(source), places_(places), construction_(construction), size_(source.size()) {
    const auto slice = static_cast<std::uint64_t>(size_.x * size_.y) * sizeof(T);
    // Memory holds two slabs at a time, each with one slice more on either side.
    const auto fit = static_cast<std::int64_t>(memory / (2 * std::max<std::uint64_t>(1, slice)));
    owned_ = std::clamp<std::int64_t>(fit - 2, 1, size_.z);
  }

  Result<StrataCounts> count(const JobContext& context) {
    StrataCounts sum;
    sum.levels.resize(places_.levels().size());
    Slab now;
    Slab next;
    if (Status done = read(0, Slab(), now, context); !done) return done.error();
    for (std::int64_t z = 0; z < size_.z; z += owned_) {
      context.report(static_cast<double>(z) / static_cast<double>(size_.z), "strata");
      auto reading = read_ahead(z + owned_, now, next, context);
      auto counted = count_slab(now, z, context);
      if (Status done = reading.get(); !done) return done.error();
      if (!counted) return counted.error();
      for (std::size_t i = 0; i < sum.levels.size(); ++i) {
        for (std::size_t s = 0; s < 8; ++s) sum.levels[i][s] += counted->levels[i][s];
      }
      std::swap(now, next);
    }
    complete_last_level<Place>(size_, construction_, sum);
    return sum;
  }

 private:
  [[nodiscard]] std::int64_t end_of(std::int64_t z) const { return std::min(z + owned_, size_.z); }

  // The slab whose first slice that counts is z.
  Status read(std::int64_t z, const Slab& before, Slab& slab, const JobContext& context) {
    if (z >= size_.z) return {};
    return slab.read(source_, std::max<std::int64_t>(0, z - 1), std::min(size_.z, end_of(z) + 1),
                     before, context);
  }

  // Reads the next slab while the one before it is counted; without a thread, before that.
  std::future<Status> read_ahead(std::int64_t z, const Slab& before, Slab& slab,
                                 const JobContext& context) {
    const auto work = [this, z, &before, &slab, &context] {
      // An exception goes on where the result is taken.
      return read(z, before, slab, JobContext(context.stop_token()));
    };
    try {
      return std::async(std::launch::async, work);
    } catch (const std::system_error&) {
      return std::async(std::launch::deferred, work);
    }
  }

  Result<StrataCounts> count_slab(const Slab& slab, std::int64_t z, const JobContext& context) {
    const PlaceRows<Place> rows = [&](std::int64_t at, std::int64_t x, std::span<Place> row) {
      places_.find(slab.row<T>(at, x, size_.y), row);
    };
    return count_strata<Place>(size_, {z, end_of(z)}, static_cast<int>(places_.levels().size()),
                               rows, construction_, JobContext(context.stop_token()));
  }

  SliceSource& source_;
  const LevelPlaces& places_;
  Construction construction_;
  Size3 size_;
  std::int64_t owned_ = 1;
};

template <class T>
Result<StrataCounts> count_slices(SliceSource& source, const LevelPlaces& places,
                                  Construction construction, std::uint64_t memory,
                                  const JobContext& context) {
  const auto count = [&]<class Place>(Place) {
    return SlabCounter<T, Place>(source, places, construction, memory).count(context);
  };
  if (places.fits_byte()) return count(std::uint8_t{});
  return places.fits_two_bytes() ? count(std::uint16_t{}) : count(std::uint32_t{});
}

// Surveys which values occur.
template <class T>
Result<ValueSurvey> survey(SliceSource& source, ValueSurvey::Keep keep, const JobContext& context) {
  const Size3 n = source.size();
  std::vector<T> slice(static_cast<std::size_t>(n.x * n.y));
  std::vector<float> values(slice.size());
  ValueSurvey found(keep);
  std::uint64_t bad = 0;
  Index3 first{};
  for (std::int64_t z = 0; z < n.z; ++z) {
    context.report(static_cast<double>(z) / static_cast<double>(n.z), "values");
    if (Status done = source.read(z, slice.data(), JobContext(context.stop_token())); !done)
      return done.error();
    for (std::size_t i = 0; i < slice.size(); ++i) {
      values[i] = static_cast<float>(slice[i]);
      const auto at = static_cast<std::int64_t>(i);
      if (std::isnan(values[i]) && bad++ == 0) first = {z, at / n.y, at % n.y};
    }
    // The whole image is read, to report how many values are not numbers.
    if (bad == 0) found.add(values);
  }
  if (bad > 0) return no_order(bad, first, source.header().name);
  return found;
}

}  // namespace

Result<LevelPlaces> levels_of_slices(SliceSource& source, LevelSets sets, const LevelChoice& choice,
                                     const JobContext& context) {
  const auto by_survey = [&](const Result<ValueSurvey>& found) -> Result<LevelPlaces> {
    if (!found) return found.error();
    return LevelPlaces::of(*found, sets, choice);
  };
  const auto none = ValueSurvey::Keep::none;
  const bool even = choice.count > 0 && choice.thresholds.empty();
  switch (source.kind()) {
    case SampleKind::u8:
      if (!even) return LevelPlaces::of_whole_numbers(0, 255, sets, choice);
      return by_survey(survey<std::uint8_t>(source, none, context));
    case SampleKind::u16:
      if (!even) return LevelPlaces::of_whole_numbers(0, 65535, sets, choice);
      return by_survey(survey<std::uint16_t>(source, none, context));
    case SampleKind::f32:
      break;
  }
  return by_survey(survey<float>(source, LevelPlaces::values_wanted(choice), context));
}

Result<StrataCounts> count_strata(SliceSource& source, const LevelPlaces& places,
                                  Construction construction, std::uint64_t memory,
                                  const JobContext& context) {
  switch (source.kind()) {
    case SampleKind::u8:
      return count_slices<std::uint8_t>(source, places, construction, memory, context);
    case SampleKind::u16:
      return count_slices<std::uint16_t>(source, places, construction, memory, context);
    case SampleKind::f32:
      break;
  }
  return count_slices<float>(source, places, construction, memory, context);
}

}  // namespace aprscope
