#include "core/operations/measure/counted_levels.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/apr/parallel.hpp"
#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/operations/engine/run_checks.hpp"
#include "core/operations/measure/value_sources.hpp"
#include "core/topology/grid_parts.hpp"
#include "core/topology/level_places.hpp"
#include "core/topology/particle_strata.hpp"
#include "core/topology/pixel_strata.hpp"
#include "core/topology/streamed_strata.hpp"
#include "core/topology/value_range.hpp"

namespace aprscope {
namespace {

// Every finite value has its place, also those that filters could not compute with.
Status check_numbers(const Dataset& input) {
  if (input.non_finite().count == 0) return {};
  const auto finite = [](float v) { return std::isfinite(v); };
  const bool fine =
      input.is_apr()
          ? std::ranges::all_of(input.particle_values(), finite)
          : std::ranges::all_of(std::get<Pixels<float>>(input.volume().pixels).values, finite);
  return fine ? Status() : check_finite(input);
}

template <class T>
Result<LevelPlaces> places_of(const Pixels<T>& pixels, LevelSets sets, int levels,
                              const JobContext& context) {
  if constexpr (std::is_integral_v<T>) {
    const ValueRange<T> range = value_range(std::span<const T>(pixels.values));
    return LevelPlaces::of_whole_numbers(range.least, range.most, sets, levels);
  } else {
    return LevelPlaces::of(pixels.values, sets, levels, context);
  }
}

template <class Place, class T>
Result<CountedLevels> count_pixels(const Pixels<T>& pixels, const LevelPlaces& places,
                                   Construction construction, const JobContext& context) {
  const PlaceRows<Place> rows = [&](std::int64_t z, std::int64_t x, std::span<Place> row) {
    places.find(std::span<const T>(&pixels.at(z, x, 0), row.size()), row);
  };
  auto counts = count_strata<Place>(pixels.size, static_cast<int>(places.levels().size()), rows,
                                    construction, context);
  if (!counts) return counts.error();
  return CountedLevels{*std::move(counts), places.levels(), places.is_even()};
}

Result<CountedLevels> of_image(const Volume& volume, LevelSets sets, Construction construction,
                               int levels, const JobContext& context) {
  return std::visit(
      [&]<class T>(const Pixels<T>& pixels) -> Result<CountedLevels> {
        const auto places = places_of(pixels, sets, levels, context.part(0.0, 0.2));
        if (!places) return places.error();
        const JobContext rest = context.part(0.2, 1.0);
        return places->fits_byte()
                   ? count_pixels<std::uint8_t>(pixels, *places, construction, rest)
                   : count_pixels<std::uint16_t>(pixels, *places, construction, rest);
      },
      volume.pixels);
}

Result<CountedLevels> of_particles(const Dataset& input, LevelSets sets, Construction construction,
                                   int levels, const JobContext& context) {
  const std::vector<float>& values = input.particle_values();
  const auto found = LevelPlaces::of(values, sets, levels, context.part(0.0, 0.2));
  if (!found) return found.error();
  const auto count = static_cast<std::int64_t>(values.size());
  Scratch<std::uint16_t> memory(count, Pages::huge);
  const std::span<std::uint16_t> places(memory.data(), values.size());
  parallel_stretches(count, threads_for(count), [&](std::int64_t begin, std::int64_t end, int) {
    const auto first = static_cast<std::size_t>(begin);
    const auto many = static_cast<std::size_t>(end - begin);
    found->find(std::span<const float>(values).subspan(first, many), places.subspan(first, many));
  });
  auto counts = count_strata(*input.apr().access, places, static_cast<int>(found->levels().size()),
                             construction, context.part(0.2, 1.0));
  if (!counts) return counts.error();
  return CountedLevels{*std::move(counts), found->levels(), found->is_even()};
}

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

Result<CountedLevels> count_levels(const Dataset& input, LevelSets sets, Construction construction,
                                   int levels, const JobContext& context) {
  if (Status ok = check_numbers(input); !ok) return ok.error();
  return input.is_apr() ? of_particles(input, sets, construction, levels, context)
                        : of_image(input.volume(), sets, construction, levels, context);
}

Result<CountedLevels> count_levels(SliceSource& source, LevelSets sets, Construction construction,
                                   int levels, std::uint64_t memory, const JobContext& context) {
  const bool twice = levels > 0 || source.kind() == SampleKind::f32;
  const double first = twice ? 0.3 : 0.0;
  const auto places = levels_of_slices(source, sets, levels, context.part(0.0, first));
  if (!places) return places.error();
  auto counts = count_strata(source, *places, construction, memory, context.part(first, 1.0));
  if (!counts) return counts.error();
  return CountedLevels{*std::move(counts), places->levels(), places->is_even()};
}

Result<ValueCounts> count_values(const Dataset& input, const JobContext& context) {
  if (Status ok = check_numbers(input); !ok) return ok.error();
  const Region all = whole(input.size());
  const JobContext first = context.part(0.0, 0.5);
  const JobContext rest = context.part(0.5, 1.0);
  if (input.is_apr()) {
    const std::vector<float>& values = input.particle_values();
    const auto places = LevelPlaces::of(values, LevelSets::sublevel, 0, first);
    if (!places) return places.error();
    const LinearAccess& cells = input.apr().access->particles();
    return count_source(ParticleValues(cells, values, all, cells.level_first(), cells.level_last()),
                        *places, rest);
  }
  return std::visit(
      [&]<class T>(const Pixels<T>& pixels) -> Result<ValueCounts> {
        const auto places = places_of(pixels, LevelSets::sublevel, 0, first);
        if (!places) return places.error();
        return count_source(PixelValues<T>(pixels, all), *places, rest);
      },
      input.volume().pixels);
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
