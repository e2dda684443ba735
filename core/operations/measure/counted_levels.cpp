#include "core/operations/measure/counted_levels.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/dataset/first_pixel.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/measure/particle_places.hpp"
#include "core/operations/measure/value_sources.hpp"
#include "core/topology/grid_parts.hpp"
#include "core/topology/level_places.hpp"
#include "core/topology/no_order.hpp"
#include "core/topology/particle_strata.hpp"
#include "core/topology/pixel_strata.hpp"
#include "core/topology/streamed_strata.hpp"
#include "core/topology/value_range.hpp"

namespace aprscope {
namespace {

template <class T>
Result<LevelPlaces> places_of_pixels(const Pixels<T>& pixels, LevelSets sets,
                                     const LevelChoice& choice, const JobContext& context) {
  if constexpr (std::is_integral_v<T>) {
    const ValueRange<T> range = value_range(std::span<const T>(pixels.values));
    return LevelPlaces::of_whole_numbers(range.least, range.most, sets, choice);
  } else {
    return LevelPlaces::of(pixels.values, sets, choice, context);
  }
}

// Calls f(size, rows) with the rows of an image as places, in bytes if these fit, else two bytes.
template <class F>
auto with_rows(const Volume& volume, const LevelPlaces& places, const F& f) {
  return std::visit(
      [&]<class T>(const Pixels<T>& pixels) {
        const auto rows_of = [&]<class Place>() -> PlaceRows<Place> {
          return [&](std::int64_t z, std::int64_t x, std::span<Place> row) {
            places.find(std::span<const T>(&pixels.at(z, x, 0), row.size()), row);
          };
        };
        return places.fits_byte() ? f(pixels.size, rows_of.template operator()<std::uint8_t>())
                                  : f(pixels.size, rows_of.template operator()<std::uint16_t>());
      },
      volume.pixels);
}

// Counts strata where places do not fit two bytes either.
Result<StrataCounts> count_many(const Volume& volume, const LevelPlaces& places,
                                Construction construction, const JobContext& context) {
  return std::visit(
      [&]<class T>(const Pixels<T>& pixels) {
        const PlaceRows<std::uint32_t> rows = [&](std::int64_t z, std::int64_t x,
                                                  std::span<std::uint32_t> row) {
          places.find(std::span<const T>(&pixels.at(z, x, 0), row.size()), row);
        };
        return count_strata<std::uint32_t>(pixels.size, static_cast<int>(places.levels().size()),
                                           rows, construction, context);
      },
      volume.pixels);
}

// Infinite levels are as far as the finite ones beside them: how long a piece lives is counted
// between these.
std::vector<double> finite_levels(std::vector<double> levels) {
  const std::size_t n = levels.size();
  if (n > 1 && std::isinf(levels.front())) levels.front() = levels[1];
  if (n > 1 && std::isinf(levels.back())) levels.back() = levels[n - 2];
  return levels;
}

int count_of(const LevelPlaces& places) { return static_cast<int>(places.levels().size()); }

// How many pixels have each place: blocks of values, by any number of threads.
template <class Source>
Result<ValueCounts> count_source(const Source& source, const LevelPlaces& places,
                                 const JobContext& context) {
  using Value = typename Source::Value;
  struct Part {
    std::vector<std::int64_t> counts;
    std::vector<std::uint16_t> found;
  };
  const std::int64_t blocks = source.blocks();
  const auto threads = static_cast<int>(std::clamp<std::int64_t>(blocks, 1, thread_count()));
  std::vector<Part> parts(static_cast<std::size_t>(threads));
  parallel_each(blocks, threads, [&](std::int64_t block, int thread) {
    if (context.stop_requested()) return;
    Part& part = parts[static_cast<std::size_t>(thread)];
    part.counts.resize(places.levels().size());
    source.each(block, [&](std::span<const Value> values, const std::uint64_t* weights) {
      part.found.resize(values.size());
      places.find(values, std::span(part.found));
      for (std::size_t i = 0; i < values.size(); ++i) {
        part.counts[part.found[i]] +=
            weights != nullptr ? static_cast<std::int64_t>(weights[i]) : std::int64_t{1};
      }
    });
  });
  if (context.stop_requested()) return cancelled_error();
  ValueCounts out{places.levels(), std::vector<std::int64_t>(places.levels().size())};
  for (const Part& part : parts) {
    for (std::size_t i = 0; i < part.counts.size(); ++i) out.pixels[i] += part.counts[i];
  }
  return out;
}

}  // namespace

Status check_levels(const LevelPlaces& places, const std::string& name) {
  if (places.fits_two_bytes()) return {};
  const std::uint64_t levels = places.levels().size();
  const std::uint64_t each = sizeof(StrataCounts::OfLevel) +
                             static_cast<std::uint64_t>(thread_count()) * sizeof(std::uint64_t) +
                             std::uint64_t{20} * sizeof(double);
  const std::uint64_t left = available_bytes();
  if (levels < std::uint64_t{1} << 31U && (left == 0 || levels * each <= left)) return {};
  return Error{"has " + std::to_string(levels) + " different values, whose curves take " +
                   format_bytes(levels * each) + " of memory",
               name, "choose a number of levels, or thresholds"};
}

Status check_numbers(const Dataset& input) {
  if (input.values().non_finite().count == 0) return {};
  const auto finite = [](float v) { return std::isfinite(v); };
  const bool fine =
      input.is_apr()
          ? std::ranges::all_of(input.values().particles(), finite)
          : std::ranges::all_of(std::get<Pixels<float>>(input.volume().pixels).values, finite);
  return fine ? Status() : check_finite(input);
}

Status check_order(const Dataset& input) {
  // Most images have been looked at already.
  if (input.values().non_finite().count == 0) return {};
  const std::span<const float> values = input.is_apr()
                                            ? std::span<const float>(input.values().particles())
                                            : std::get<Pixels<float>>(input.volume().pixels).values;
  std::uint64_t count = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i]) && count++ == 0) first = i;
  }
  if (count == 0) return {};
  const Size3 n = input.size();
  const auto at = static_cast<std::int64_t>(first);
  return no_order(count,
                  input.is_apr() ? first_pixel(input.apr().access->particles(), first)
                                 : Index3{at / (n.x * n.y), at / n.y % n.x, at % n.y},
                  input.name());
}

Result<LevelPlaces> places_of(const Dataset& input, LevelSets sets, const LevelChoice& choice,
                              const JobContext& context) {
  if (Status ok = check_order(input); !ok) return ok.error();
  auto places =
      input.is_apr()
          ? LevelPlaces::of(input.values().particles(), sets, choice, context)
          : std::visit(
                [&](const auto& pixels) { return places_of_pixels(pixels, sets, choice, context); },
                input.volume().pixels);
  if (!places) return places;
  if (Status ok = check_levels(*places, input.name()); !ok) return ok.error();
  return places;
}

Result<StrataCounts> count_strata(const Dataset& input, const LevelPlaces& places,
                                  Construction construction, const JobContext& context) {
  if (input.is_apr() && places.fits_two_bytes()) {
    const ParticlePlaces<std::uint16_t> found(input.values().particles(), places);
    return count_strata(*input.apr().access, found.all(), count_of(places), construction, context);
  }
  if (input.is_apr()) {
    const ParticlePlaces<std::uint32_t> found(input.values().particles(), places);
    return count_strata(*input.apr().access, found.all(), count_of(places), construction, context);
  }
  if (!places.fits_two_bytes()) return count_many(input.volume(), places, construction, context);
  return with_rows(
      input.volume(), places, [&]<class Place>(const Size3& size, const PlaceRows<Place>& rows) {
        return count_strata<Place>(size, count_of(places), rows, construction, context);
      });
}

Result<Components> find_components(const Dataset& input, const LevelPlaces& places,
                                   Construction construction, std::size_t lives,
                                   const JobContext& context) {
  if (!places.fits_two_bytes()) {
    return Error{"pieces are counted at up to 65536 levels, not at " +
                     std::to_string(places.levels().size()),
                 input.name(), "choose levels or thresholds, or leave betti and persistence out"};
  }
  const std::vector<double> spans = finite_levels(places.levels());
  const LifeQuery query{lives, spans};
  if (input.is_apr()) {
    const ParticlePlaces<std::uint16_t> found(input.values().particles(), places);
    return find_components(*input.apr().access, found.all(), count_of(places), construction, query,
                           context);
  }
  return with_rows(
      input.volume(), places, [&]<class Place>(const Size3& size, const PlaceRows<Place>& rows) {
        return find_components<Place>(size, count_of(places), rows, construction, query, context);
      });
}

Result<CountedLevels> count_levels(const Dataset& input, LevelSets sets, Construction construction,
                                   const LevelChoice& choice, const JobContext& context) {
  const auto places = places_of(input, sets, choice, context.part(0.0, 0.2));
  if (!places) return places.error();
  auto counts = count_strata(input, *places, construction, context.part(0.2, 1.0));
  if (!counts) return counts.error();
  return CountedLevels{*std::move(counts), places->levels(), places->is_even(),
                       places->are_given()};
}

Result<CountedLevels> count_levels(SliceSource& source, LevelSets sets, Construction construction,
                                   const LevelChoice& choice, std::uint64_t memory,
                                   const JobContext& context) {
  const bool twice = choice.count > 0 || source.kind() == SampleKind::f32;
  const double first = twice ? 0.3 : 0.0;
  const auto places = levels_of_slices(source, sets, choice, context.part(0.0, first));
  if (!places) return places.error();
  if (Status ok = check_levels(*places, source.header().name); !ok) return ok.error();
  auto counts = count_strata(source, *places, construction, memory, context.part(first, 1.0));
  if (!counts) return counts.error();
  return CountedLevels{*std::move(counts), places->levels(), places->is_even(),
                       places->are_given()};
}

Result<ValueCounts> count_values(const Dataset& input, LevelSets sets, const JobContext& context) {
  const auto places = places_of(input, sets, 0, context.part(0.0, 0.5));
  if (!places) return places.error();
  const Region all = whole(input.size());
  const JobContext rest = context.part(0.5, 1.0);
  if (input.is_apr()) {
    const LinearAccess& cells = input.apr().access->particles();
    return count_source(ParticleValues(cells, input.values().particles(), all, cells.level_first(),
                                       cells.level_last()),
                        *places, rest);
  }
  return std::visit(
      [&]<class T>(const Pixels<T>& pixels) {
        return count_source(PixelValues<T>(pixels, all), *places, rest);
      },
      input.volume().pixels);
}

std::uint64_t component_bytes(const Dataset& input, bool lives) {
  return input.is_apr()
             ? particle_component_bytes(input.apr().access->count(), lives)
             : pixel_component_bytes(static_cast<std::uint64_t>(input.size().count()), lives);
}

std::uint64_t counting_bytes(const Dataset& input) {
  const auto threads = static_cast<std::uint64_t>(thread_count());
  const Size3 n = input.size();
  // Strata of all levels, of each thread and in what comes out (also as columns and curves), and a
  // thread's sums of words.
  constexpr std::uint64_t kLevels = 65537;
  constexpr std::uint64_t kTables = kLevels * sizeof(StrataCounts::OfLevel);
  constexpr std::uint64_t kSums = kLevels * sizeof(std::uint64_t);
  // Three slices of a band of rows, of up to five bytes a cell with their masks, and a row of
  // words.
  const auto row = static_cast<std::uint64_t>(strata_stride(n.y));
  const std::uint64_t band = std::max<std::uint64_t>(std::uint64_t{512} * 1024, 3 * 18 * row * 5);
  std::uint64_t bytes = threads * (kTables + kSums + band + row * sizeof(std::uint64_t));
  bytes += 3 * kTables;
  if (input.is_apr()) {
    bytes += input.apr().access->count() * (sizeof(float) + sizeof(std::uint16_t));
    // The interior cells as bits.
    bytes += static_cast<std::uint64_t>(n.count()) / 40;
  }
  return bytes;
}

}  // namespace aprscope
