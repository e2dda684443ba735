#include "core/cells/exterior.hpp"

#include <algorithm>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/cells/component_runs.hpp"
#include "core/cells/connected_components.hpp"
#include "core/image/parallel_rows.hpp"

namespace aprscope {
namespace {

constexpr auto kMembrane = static_cast<std::uint8_t>(CellPart::membrane);
constexpr auto kLumen = static_cast<std::uint8_t>(CellPart::lumen);

// Pixels of the parts that `kept` says.
template <class Kept>
Pixels<std::uint8_t> mask_of_parts(const CellParts& parts, const Kept& kept) {
  Pixels<std::uint8_t> mask;
  mask.size = parts.size;
  make_zeros(mask.values, parts.size.count());
  parallel_stretches(parts.size.count(), threads_for(parts.size.count()),
                     [&](std::int64_t begin, std::int64_t end, int) {
                       for (std::int64_t i = begin; i < end; ++i) {
                         const auto at = static_cast<std::size_t>(i);
                         mask.values[at] = kept(parts.values[at]) ? 1 : 0;
                       }
                     });
  return mask;
}

}  // namespace

Connectivity water_of(Connectivity membrane) {
  return membrane == Connectivity::faces ? Connectivity::corners : Connectivity::faces;
}

Pixels<std::uint8_t> slice_of(const Pixels<std::uint8_t>& pixels, std::int64_t z) {
  Pixels<std::uint8_t> slice;
  slice.size = {1, pixels.size.x, pixels.size.y};
  const auto first = pixels.values.begin() + static_cast<std::int64_t>(pixels.index(z, 0, 0));
  slice.values.assign(first, first + slice.size.count());
  return slice;
}

Result<CellParts> fill_from_outside(const Pixels<std::uint8_t>& membrane, Connectivity connectivity,
                                    const JobContext& context) {
  const auto water = ComponentRuns::of(membrane.values, membrane.size, MaskSide::clear,
                                       water_of(connectivity), context.part(0.0, 0.8));
  if (!water) return water.error();
  const std::vector<std::uint8_t> outside = water->at_border();
  CellParts parts;
  parts.size = membrane.size;
  make_zeros(parts.values, membrane.size.count());
  const bool done = parallel_rows(
      membrane.size, thread_count(), context.part(0.8, 1.0), "exterior",
      [&](std::int64_t z, std::int64_t x, int) {
        std::uint8_t* const row = &parts.at(z, x, 0);
        std::fill_n(row, membrane.size.y, kMembrane);
        water->each_run(z, x, [&](std::int64_t begin, std::int64_t end, std::uint32_t label) {
          std::fill(row + begin, row + end, outside[label] != 0 ? std::uint8_t{0} : kLumen);
        });
      });
  if (!done) return cancelled_error();
  return parts;
}

Result<CellParts> fill_slices(const Pixels<std::uint8_t>& membrane, Connectivity connectivity,
                              const JobContext& context) {
  CellParts parts;
  parts.size = membrane.size;
  make_zeros(parts.values, membrane.size.count());
  const bool done = parallel_items(
      membrane.size.z, thread_count(), context, "exterior", [&](std::int64_t z, int) {
        const auto filled = fill_from_outside(slice_of(membrane, z), connectivity,
                                              JobContext(context.stop_token()));
        if (!filled) return;
        std::copy(filled->values.begin(), filled->values.end(), &parts.at(z, 0, 0));
      });
  if (!done) return cancelled_error();
  return parts;
}

Result<Labels> label_objects(const CellParts& parts, Connectivity membrane,
                             const JobContext& context) {
  return connected_components(parts, membrane, context);
}

Result<Labels> label_lumens(const CellParts& parts, Connectivity membrane,
                            const JobContext& context) {
  return connected_components(mask_of_parts(parts, [](std::uint8_t p) { return p == kLumen; }),
                              water_of(membrane), context);
}

}  // namespace aprscope
