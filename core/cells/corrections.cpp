#include "core/cells/corrections.hpp"

#include <algorithm>
#include <utility>

#include "core/cells/correction_brush.hpp"
#include "core/cells/correction_frame.hpp"
#include "core/cells/correction_growth.hpp"
#include "core/cells/correction_new_cell.hpp"
#include "core/cells/correction_points.hpp"
#include "core/cells/label_slots.hpp"
#include "core/cells/split_flood.hpp"

namespace aprscope {
namespace {

Result<LabelChange> merged(const CorrectionFrame& frame) {
  const auto all = labels_to_merge(frame.asked().points, frame.at_points());
  if (!all) return all.error();
  const auto where = frame.box_of({all->begin() + 1, all->end()});
  if (!where) return where.error();
  return frame.renamed(*where, "", [&](std::uint32_t label) {
    const bool one = std::find(all->begin(), all->end(), label) != all->end();
    return one ? all->front() : label;
  });
}

Result<LabelChange> removed(const CorrectionFrame& frame) {
  const auto all = frame.meant();
  if (!all) return all.error();
  const auto where = frame.box_of(*all);
  if (!where) return where.error();
  return frame.renamed(*where, "", [&](std::uint32_t label) {
    return std::find(all->begin(), all->end(), label) != all->end() ? 0U : label;
  });
}

// Walls are high, whatever they look like.
std::vector<float> signal_in(const CorrectionFrame& frame, const Region& box) {
  const bool dark_walls = frame.asked().dark_walls;
  std::vector<float> out;
  out.reserve(static_cast<std::size_t>(box.size().count()));
  std::visit(
      [&](const auto& pixels) {
        for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
          for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
            for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
              const auto value = static_cast<float>(pixels.values[frame.at(z, x, y)]);
              out.push_back(dark_walls ? -value : value);
            }
          }
        }
      },
      frame.pixels());
  return out;
}

Result<LabelChange> split(const CorrectionFrame& frame) {
  const auto all = frame.meant();
  if (!all) return all.error();
  if (all->size() > 1) {
    return refused_correction("has its points in " + std::to_string(all->size()) + " cells",
                              "choose all in the one that is to be divided");
  }
  std::vector<Index3> seeds;
  for (const Index3& p : frame.asked().points) {
    if (std::find(seeds.begin(), seeds.end(), p) == seeds.end()) seeds.push_back(p);
  }
  if (seeds.size() < 2) {
    return refused_correction("has one place to divide from",
                              "choose a point in each part of the cell");
  }
  if (Status ok = numbers_left(seeds.size() - 1, frame.labels().largest); !ok) return ok.error();
  const auto where = frame.box_of(*all);
  if (!where) return where.error();
  const auto mask = frame.mask_of(all->front(), *where);
  if (!mask) return mask.error();
  const auto owner = divided_among_seeds(*mask, signal_in(frame, *where), seeds, frame.context());
  if (!owner) return owner.error();
  const std::uint32_t largest = frame.labels().largest;
  return frame.changed(*where, "choose other places",
                       [&](auto z, auto x, auto y, std::uint32_t label) {
                         const std::uint32_t seed = (*owner)[mask->index(z, x, y)];
                         return seed < 2 ? label : largest + (seed - 1);
                       });
}

Result<LabelChange> relabelled(const CorrectionFrame& frame) {
  LabelSlots numbers(frame.labels().largest);
  auto out = frame.renamed(
      frame.box(), "the cells have numbers from 1 on already",
      [&](std::uint32_t label) { return label == 0 ? 0 : numbers.find_or_add(label) + 1; });
  if (!out) return out;
  out->largest_after = static_cast<std::uint32_t>(numbers.size());
  renumber_findings(
      frame.labels(),
      [&](std::uint32_t label) {
        const std::uint32_t slot = numbers.find(label);
        return slot == LabelSlots::kNone ? 0 : slot + 1;
      },
      *out);
  return out;
}

Result<LabelChange> made(const CorrectionFrame& frame) {
  switch (frame.asked().action) {
    case CorrectionAction::merge:
      return merged(frame);
    case CorrectionAction::split:
      return split(frame);
    case CorrectionAction::remove:
      return removed(frame);
    case CorrectionAction::create:
      return created(frame);
    case CorrectionAction::fill_holes:
      return holes_filled(frame);
    case CorrectionAction::grow:
      return grown(frame);
    case CorrectionAction::shrink:
      return shrunk(frame);
    case CorrectionAction::paint:
    case CorrectionAction::erase:
      return brushed(frame);
    case CorrectionAction::relabel:
      return relabelled(frame);
  }
  return refused_correction("is none that is known", "");
}

}  // namespace

Result<LabelChange> correction_in(const LabelWindow& window, const Correction& asked,
                                  const VoxelSize& voxel, const LabelRecords* records,
                                  const JobContext& context) {
  if (window.labels.values.size() != static_cast<std::size_t>(window.box.size().count())) {
    return refused_correction("has labels of another image", "choose those of this one");
  }
  if (Status ok = check_correction(asked, window.size); !ok) return ok.error();
  return made(CorrectionFrame(window, asked, voxel, records, context));
}

Result<LabelChange> correction(const Correction& asked, const Labels& labels,
                               const AnyPixels& pixels, const VoxelSize& voxel,
                               const LabelRecords* records, const JobContext& context) {
  const Size3 size = std::visit([](const auto& p) { return p.size; }, pixels);
  return correction_in({size, whole(size), labels, pixels}, asked, voxel, records, context);
}

}  // namespace aprscope
