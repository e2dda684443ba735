#include "core/cells/particle_numbers.hpp"

#include <algorithm>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/cells/particle_runs.hpp"
#include "core/cells/piece_tally.hpp"
#include "core/topology/growth.hpp"

namespace aprscope {

Result<NumberedParticles> numbered_particles(const AprAccess& access, Labels labels,
                                             const JobContext& context) {
  const LinearAccess& cells = access.particles();
  const std::vector<CellLayer> layers = layers_of(cells);
  constexpr std::uint64_t kNone = ~std::uint64_t{0};
  std::vector<std::uint64_t> first(std::size_t{1} + labels.largest, kNone);
  std::vector<std::uint64_t> pixels(first.size(), 0);
  const bool done = parallel_items(
      static_cast<std::int64_t>(layers.size()), growth_threads(cells.count()), context, "labels",
      [&](std::int64_t item, int) {
        const CellLayer& layer = layers[static_cast<std::size_t>(item)];
        const LayerGeometry geometry(cells, layer);
        PieceTally tally(first, pixels);
        for (std::int64_t x = 0; x < geometry.grid.x; ++x) {
          const ParticleRange row = cells.row(layer.level, layer.z, x);
          for (std::uint64_t i = row.begin; i < row.end; ++i) {
            const std::int64_t y = cells.y()[i];
            tally.add(labels.values[i], geometry.first_pixel(x, y), geometry.pixels(x, y, y));
          }
        }
      });
  if (!done) return cancelled_error();
  std::vector<std::uint32_t> order;
  for (std::uint32_t label = 1; label <= labels.largest && label != 0; ++label) {
    if (first[label] != kNone) order.push_back(label);
  }
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return first[a] < first[b]; });
  NumberedParticles out;
  std::vector<std::uint32_t> number(first.size(), 0);
  out.pixels.push_back(static_cast<std::int64_t>(pixels[0]));
  for (std::size_t i = 0; i < order.size(); ++i) {
    number[order[i]] = static_cast<std::uint32_t>(i + 1);
    out.pixels.push_back(static_cast<std::int64_t>(pixels[order[i]]));
  }
  parallel_for(static_cast<std::int64_t>(labels.values.size()), growth_threads(cells.count()),
               [&](std::int64_t i) {
                 std::uint32_t& value = labels.values[static_cast<std::size_t>(i)];
                 value = number[value];
               });
  labels.largest = static_cast<std::uint32_t>(order.size());
  for (LabelFinding& one : labels.findings) one.label = number[one.label];
  std::erase_if(labels.findings, [](const LabelFinding& one) { return one.label == 0; });
  std::sort(labels.findings.begin(), labels.findings.end(),
            [](const LabelFinding& a, const LabelFinding& b) { return a.label < b.label; });
  out.labels = std::move(labels);
  return out;
}

}  // namespace aprscope
