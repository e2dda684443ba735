#include "core/operations/measure/counted_file.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/operations/engine/file_pixel.hpp"
#include "core/operations/engine/slab_plan.hpp"
#include "core/operations/measure/particle_places.hpp"
#include "core/topology/no_order.hpp"
#include "core/topology/particle_strata.hpp"

namespace aprscope {
namespace {

// Share of the progress for looking at values.
constexpr double kValuesShare = 0.2;

// Values that are looked at together.
constexpr std::uint64_t kValuesAtOnce = 1U << 22U;

// Which values occur.
Result<ValueSurvey> survey(const AprFileSlabs& file, ValueSurvey::Keep keep,
                           const JobContext& context) {
  const JobContext quiet(context.stop_token());
  ValueSurvey found(keep);
  std::vector<float> values;
  std::uint64_t bad = 0;
  std::uint64_t first = 0;
  for (std::uint64_t begin = 0; begin < file.count(); begin += kValuesAtOnce) {
    if (context.stop_requested()) return cancelled_error();
    context.report(static_cast<double>(begin) / static_cast<double>(file.count()), "values");
    values.resize(std::min(kValuesAtOnce, file.count() - begin));
    if (Status read = file.read_field(begin, values, quiet); !read) return read.error();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i]) && bad++ == 0) first = begin + i;
    }
    // All of them are read, to tell how many are not numbers.
    if (bad == 0) found.add(values);
  }
  if (bad == 0) return found;
  const auto at = first_pixel(file, first, quiet);
  if (!at) return at.error();
  return no_order(bad, *at, file.facts().name);
}

template <class Place>
Result<StrataCounts> count_part(const AprPart& part, const SliceSpan& slices,
                                const LevelPlaces& places, Construction construction,
                                const JobContext& context) {
  const ParticlePlaces<Place> found(part.values, places);
  return count_strata(*part.access, slices, found.all(), static_cast<int>(places.levels().size()),
                      construction, context);
}

Result<StrataCounts> count_slabs(AprFileSlabs& file, const LevelPlaces& places,
                                 Construction construction, const PartMemory& memory,
                                 const JobContext& context) {
  // Strata of a cell depend on the cells beside it.
  const auto reached = [&](int coarsest) {
    return std::int64_t{1} << (file.level_max() - coarsest);
  };
  auto slabs = plan_slabs(file, reached, memory.wanted);
  // The thinnest slabs of wide images take more than one would like.
  if (!slabs && memory.most > memory.wanted) slabs = plan_slabs(file, reached, memory.most);
  if (!slabs) return slabs.error();
  const JobContext quiet(context.stop_token());
  if (Status read = file.read_coarse(slabs->coarsest, quiet); !read) return read.error();
  StrataCounts sum;
  sum.levels.resize(places.levels().size());
  for (std::size_t i = 1; i < slabs->cuts.size(); ++i) {
    const std::int64_t begin = slabs->cuts[i - 1];
    const std::int64_t end = slabs->cuts[i];
    context.report(static_cast<double>(begin) / static_cast<double>(file.size().z), "strata");
    const std::int64_t from = std::max<std::int64_t>(0, begin - slabs->around);
    const auto part =
        file.slab(from, std::min(file.size().z, end + slabs->around), begin, end, quiet);
    if (!part) return part.error();
    const SliceSpan slices{begin - from, end - from};
    auto counted = places.fits_two_bytes()
                       ? count_part<std::uint16_t>(*part, slices, places, construction, quiet)
                       : count_part<std::uint32_t>(*part, slices, places, construction, quiet);
    if (!counted) return counted.error();
    for (std::size_t l = 0; l < sum.levels.size(); ++l) {
      for (std::size_t s = 0; s < 8; ++s) sum.levels[l][s] += counted->levels[l][s];
    }
  }
  return sum;
}

}  // namespace

Result<CountedLevels> count_levels(AprFileSlabs& file, LevelSets sets, Construction construction,
                                   const LevelChoice& choice, const PartMemory& memory,
                                   const JobContext& context) {
  const auto found =
      survey(file, LevelPlaces::values_wanted(choice), context.part(0.0, kValuesShare));
  // A change of the file may be what an error comes from.
  if (!found && !found.error().cancelled()) {
    if (Status same = file.unchanged(); !same) return same.error();
  }
  if (!found) return found.error();
  const LevelPlaces places = LevelPlaces::of(*found, sets, choice);
  if (Status ok = check_levels(places, file.facts().name); !ok) return ok.error();
  auto counts = count_slabs(file, places, construction, memory, context.part(kValuesShare, 1.0));
  if (counts || !counts.error().cancelled()) {
    if (Status same = file.unchanged(); !same) return same.error();
  }
  if (!counts) return counts.error();
  return CountedLevels{*std::move(counts), places.levels(), places.is_even(), places.are_given()};
}

}  // namespace aprscope
