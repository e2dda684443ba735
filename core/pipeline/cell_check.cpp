#include "core/pipeline/cell_check.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/printed.hpp"
#include "core/cells/agreement.hpp"
#include "core/cells/carried_labels.hpp"
#include "core/cells/label_slots.hpp"
#include "core/operations/engine/registry.hpp"

namespace aprscope {
namespace {

// Volumes that differ by less are those of a good conversion, and so are cells that overlap by this
// share of their union.
constexpr double kSameVolume = 0.01;
constexpr double kSameCells = 0.95;

// Some formats keep fewer digits of a voxel size than others.
bool same_voxels(const VoxelSize& a, const VoxelSize& b) {
  const auto same = [](double p, double q) { return std::abs(p - q) <= 1e-5 * std::abs(q); };
  return a.unit == b.unit && same(a.z, b.z) && same(a.x, b.x) && same(a.y, b.y);
}

std::optional<double> widest_leak(const Labels& labels) {
  std::optional<double> widest;
  for (const LabelFinding& one : labels.findings) {
    if (std::isfinite(one.leak_radius)) widest = std::max(widest.value_or(0.0), one.leak_radius);
  }
  return widest;
}

FoundCells summed(const Labels& labels, const Size3& size, const VoxelSize& voxel) {
  const auto none = std::count(labels.values.begin(), labels.values.end(), 0U);
  const auto inside = static_cast<double>(static_cast<std::int64_t>(labels.values.size()) - none);
  return {count_labels(labels.values, labels.largest),
          inside * voxel.x * voxel.y * (size.z > 1 ? voxel.z : 1.0), widest_leak(labels)};
}

// Particles are not checked for leaks; so check the pixels that they stand for.
Result<std::optional<double>> leak_of_particles(const Dataset& labelled,
                                                const std::vector<Operation>& steps,
                                                const Backend& backend, const JobContext& context) {
  std::vector<Operation> as_pixels{*complete({"reconstruct", {}})};
  as_pixels.insert(as_pixels.end(), steps.begin(), steps.end());
  const auto run = execute(as_pixels, labelled.with_labels(nullptr), backend, context);
  if (!run) return run.error();
  return widest_leak(*run->data->labels());
}

void judge(const VoxelSize& voxel, CellCheck& check) {
  std::string found;
  const auto add = [&](const std::string& what) { found += (found.empty() ? "" : "; ") + what; };
  const double half = 0.5 * std::min({voxel.z, voxel.x, voxel.y});
  if (check.particles.widest_leak.value_or(0.0) > check.pixels.widest_leak.value_or(0.0) + half) {
    add("walls of the particles have wider holes");
  }
  const double change = check.pixels.volume > 0.0
                            ? check.particles.volume / check.pixels.volume - 1.0
                            : check.particles.volume;
  if (check.pixels.cells != 0 && std::abs(change) > kSameVolume) {
    add(printed("volumes differ by %+.1f %%", 100.0 * change));
  }
  if ((check.pixels.cells == 0) != (check.particles.cells == 0)) add("only one of them has cells");
  if (check.overlap < kSameCells) {
    add(printed("cells overlap by %.2f of their union", check.overlap));
  }
  check.agrees = found.empty();
  check.finding = check.agrees ? "particles and pixels agree"
                               : found +
                                     ": convert with a smaller error (0.1 or below), or find "
                                     "cells on the pixels";
}

}  // namespace

Result<CellCheck> check_cells(const Dataset& labelled, const std::vector<Operation>& steps,
                              const std::shared_ptr<const Dataset>& pixels, const Backend& backend,
                              const JobContext& context) {
  if (!labelled.is_apr() || !labelled.labels()) {
    return Error{"are no particles with cells, which could be checked", labelled.name(),
                 "choose particles, and find cells on them"};
  }
  if (steps.empty()) {
    return Error{"have cells that were found elsewhere, and cannot be found on the image",
                 labelled.name(), "choose how cells are found"};
  }
  if (pixels->is_apr()) {
    return Error{"are particles, too, and cannot check others", pixels->name(),
                 "choose the image that the particles were made from"};
  }
  if (pixels->size() != labelled.size()) {
    return Error{"has another size than the particles", pixels->name(),
                 "choose the image that they were made from"};
  }
  // Lengths mean the same on both.
  const auto image = same_voxels(pixels->voxel(), labelled.voxel())
                         ? pixels
                         : Dataset::create(with_voxel_size(*pixels, labelled.voxel()));
  const auto run = execute(steps, image, backend, context.part(0.0, 0.6));
  if (!run) return run.error();
  const auto ours =
      pixel_labels(*labelled.apr().access, *labelled.labels(), context.part(0.6, 0.65));
  if (!ours) return ours.error();
  const Labels& theirs = *run->data->labels();
  const auto agreement = compare_labels(theirs, *ours, 500, context.part(0.65, 0.7));
  if (!agreement) return agreement.error();
  CellCheck check;
  check.particles = summed(*ours, labelled.size(), labelled.voxel());
  check.pixels = summed(theirs, pixels->size(), labelled.voxel());
  check.length_unit = labelled.voxel().unit;
  check.unit = check.length_unit + (labelled.size().z > 1 ? "³" : "²");
  check.overlap = agreement->mean_best_iou;
  check.matched = agreement->at_half.matched;
  if (check.pixels.widest_leak) {
    const auto leak = leak_of_particles(labelled, steps, backend, context.part(0.7, 1.0));
    if (!leak) return leak.error();
    check.particles.widest_leak = leak->value_or(0.0);
  }
  judge(labelled.voxel(), check);
  return check;
}

}  // namespace aprscope
