#include "core/cells/particle_corrections.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/cells/correction_points.hpp"
#include "core/cells/label_patch.hpp"
#include "core/cells/label_slots.hpp"
#include "core/cells/particle_flood.hpp"
#include "core/cells/particle_region.hpp"

namespace aprscope {
namespace {

class CorrectingParticles {
 public:
  CorrectingParticles(const Correction& asked, const AprAccess& access, const Labels& labels,
                      std::span<const float> values, const VoxelSize& voxel,
                      const JobContext& context)
      : asked_(asked),
        access_(access),
        cells_(access.particles()),
        labels_(labels),
        values_(values),
        voxel_(voxel),
        context_(context) {}

  Result<LabelChange> made(const LabelRecords* records) {
    if (labels_.values.size() != access_.count()) {
      return refused_correction("has labels of other particles", "choose those of these");
    }
    if (Status ok = check_correction(asked_, access_.size()); !ok) return ok.error();
    for (const Index3& p : asked_.points)
      at_points_.push_back(labels_.values[access_.find(p).index]);
    if (Status ok = find_boxes(records); !ok) return ok.error();
    switch (asked_.action) {
      case CorrectionAction::merge:
        return merged();
      case CorrectionAction::remove:
        return removed();
      case CorrectionAction::relabel:
        return relabelled();
      case CorrectionAction::create:
        return asked_.radius > 0.0 ? made_on_pixels() : created();
      default:
        return made_on_pixels();
    }
  }

 private:
  // Boxes of the labels at the points, as records that know nothing else.
  Status find_boxes(const LabelRecords* records) {
    std::vector<std::uint32_t> which = at_points_;
    std::sort(which.begin(), which.end());
    which.erase(std::unique(which.begin(), which.end()), which.end());
    if (!which.empty() && which.front() == 0) which.erase(which.begin());
    for (const std::uint32_t label : which) {
      boxes_.sums.emplace_back();
      LabelSums& one = boxes_.sums.back();
      const LabelSums* const known = records != nullptr ? records->of(label) : nullptr;
      if (known != nullptr) one.box = known->box;
      one.label = label;
    }
    if (records != nullptr || which.empty()) return {};
    each_row_in(cells_, whole(access_.size()), [&](const CellRow& row, const ParticleRange& some) {
      if (context_.stop_requested()) return;
      for (std::uint64_t i = some.begin; i < some.end; ++i) {
        const auto at = std::find(which.begin(), which.end(), labels_.values[i]);
        if (at == which.end()) continue;
        LabelSums& one = boxes_.sums[static_cast<std::size_t>(at - which.begin())];
        const Region cell = cell_box(cells_, row, i);
        one.box = one.voxels == 0 ? cell : united_box(one.box, cell);
        one.voxels = 1;
      }
    });
    if (context_.stop_requested()) return cancelled_error();
    return {};
  }
  [[nodiscard]] const Region& box_of(std::uint32_t label) const { return boxes_.of(label)->box; }

  // Changes labels by their old label alone, for particles in a box: `after` gives the new one.
  template <class After>
  Result<LabelChange> renamed(const Region& box, const After& after) const {
    LabelChangeBuilder builder(labels_, box);
    each_row_in(cells_, box, [&](const CellRow& row, const ParticleRange& some) {
      if (context_.stop_requested()) return;
      const std::uint32_t* const values = labels_.values.data();
      for (std::uint64_t i = some.begin; i < some.end;) {
        const std::uint64_t begin = i;
        while (++i < some.end && values[i] == values[begin]) {
        }
        const std::uint32_t its = after(values[begin]);
        if (its == values[begin]) continue;
        const Region all = united_box(cell_box(cells_, row, begin), cell_box(cells_, row, i - 1));
        builder.put(begin, i - begin, all, its);
      }
    });
    if (context_.stop_requested()) return cancelled_error();
    return builder.take();
  }

  Result<LabelChange> merged() const {
    const auto all = labels_to_merge(asked_.points, at_points_);
    if (!all) return all.error();
    Region where = box_of((*all)[1]);
    for (std::size_t i = 2; i < all->size(); ++i) where = united_box(where, box_of((*all)[i]));
    return renamed(where, [&](std::uint32_t label) {
      const bool one = std::find(all->begin(), all->end(), label) != all->end();
      return one ? all->front() : label;
    });
  }

  Result<LabelChange> removed() const {
    const auto all = labels_meant(asked_.points, at_points_);
    if (!all) return all.error();
    Region where = box_of(all->front());
    for (const std::uint32_t label : *all) where = united_box(where, box_of(label));
    return renamed(where, [&](std::uint32_t label) {
      return std::find(all->begin(), all->end(), label) != all->end() ? 0U : label;
    });
  }

  // Works on particles, not on painted pixels: the background may be most of the image.
  Result<LabelChange> created() const {
    if (Status ok = numbers_left(asked_.points.size(), labels_.largest); !ok) return ok.error();
    struct Given {
      ParticleCell cell;
      std::uint32_t label = 0;
    };
    std::vector<Given> given;
    std::uint32_t next = labels_.largest;
    for (std::size_t k = 0; k < asked_.points.size(); ++k) {
      const Index3& p = asked_.points[k];
      if (at_points_[k] != 0) return cell_there(p);
      const std::uint64_t here = access_.find(p).index;
      const bool has_one = std::any_of(given.begin(), given.end(),
                                       [&](const Given& one) { return one.cell.index == here; });
      if (has_one) continue;
      const auto taken = enclosed_background(access_, labels_.values, p, context_);
      if (!taken) return taken.error();
      ++next;
      for (const ParticleCell& one : *taken) given.push_back({one, next});
    }
    std::sort(given.begin(), given.end(),
              [](const Given& a, const Given& b) { return a.cell.index < b.cell.index; });
    LabelChangeBuilder builder(labels_, whole(access_.size()));
    for (const Given& one : given) {
      builder.put(one.cell.index, 1, cell_box(cells_, one.cell.row, one.cell.index), one.label);
    }
    return builder.take();
  }

  // Numbers objects in the order of their first pixels, which is not that of particles.
  Result<LabelChange> relabelled() const {
    constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
    const Size3& n = access_.size();
    LabelSlots met(labels_.largest);
    std::vector<std::uint64_t> first;
    each_row_in(cells_, whole(n), [&](const CellRow& row, const ParticleRange& some) {
      for (std::uint64_t i = some.begin; i < some.end; ++i) {
        const std::uint32_t label = labels_.values[i];
        // The next particle of a row comes later in the image, too, so it is not the first.
        if (label == 0 || (i > some.begin && label == labels_.values[i - 1])) continue;
        const std::uint32_t slot = met.find_or_add(label);
        if (slot == first.size()) first.push_back(kNever);
        const Index3 at = cell_box(cells_, row, i).begin;
        first[slot] =
            std::min(first[slot], static_cast<std::uint64_t>((at.z * n.x + at.x) * n.y + at.y));
      }
    });
    std::vector<std::uint32_t> order(met.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return first[a] < first[b]; });
    std::vector<std::uint32_t> number(met.size());
    for (std::uint32_t k = 0; k < order.size(); ++k) number[order[k]] = k + 1;
    auto out = renamed(
        whole(n), [&](std::uint32_t label) { return label == 0 ? 0 : number[met.find(label)]; });
    if (!out) return out;
    if (out->empty()) {
      return refused_correction("changes nothing", "the cells have numbers from 1 on already");
    }
    renumber_findings(
        labels_,
        [&](std::uint32_t label) {
          const std::uint32_t slot = met.find(label);
          return slot == LabelSlots::kNone ? 0 : number[slot];
        },
        *out);
    out->largest_after = static_cast<std::uint32_t>(number.size());
    return out;
  }

  // The box of all pixels that the correction looks at.
  [[nodiscard]] Region window() const {
    const Size3& n = access_.size();
    const Index3 reach = reach_in_pixels(asked_.radius, voxel_);
    const auto round = [&](const Region& box, const Index3& margin) {
      return box_with_margin(box, margin, n);
    };
    const auto unit = [](const Index3& p) { return Region{p, {p.z + 1, p.x + 1, p.y + 1}}; };
    Region all = unit(asked_.points.front());
    for (std::size_t i = 0; i < asked_.points.size(); ++i) {
      const Index3& p = asked_.points[i];
      all = united_box(all, unit(p));
      switch (asked_.action) {
        case CorrectionAction::create:
          all = united_box(all, round(unit(p), reach));
          break;
        case CorrectionAction::paint:
        case CorrectionAction::erase: {
          Index3 brush = reach;
          if (asked_.slices >= 0) brush.z = std::min(asked_.slices, n.z);
          all = united_box(all, round(unit(p), brush));
          break;
        }
        default: {
          if (at_points_[i] == 0) break;
          const Index3 margin = asked_.action == CorrectionAction::grow     ? reach
                                : asked_.action == CorrectionAction::shrink ? Index3{1, 1, 1}
                                                                            : Index3{};
          all = united_box(all, round(box_of(at_points_[i]), margin));
        }
      }
    }
    return all;
  }

  Result<LabelChange> made_on_pixels() const {
    const Region where = window();
    Labels pixels;
    pixels.values = painted_in<std::uint32_t>(cells_, labels_.values, where);
    pixels.largest = labels_.largest;
    pixels.findings = labels_.findings;
    Pixels<float> signal;
    if (asked_.action == CorrectionAction::split) {
      if (values_.size() != access_.count()) {
        return refused_correction("has no values to divide a cell by",
                                  "choose particles that have some");
      }
      signal.size = where.size();
      signal.values = painted_in<float>(cells_, values_, where);
    }
    const AnyPixels grey = std::move(signal);
    const auto found =
        correction_in({access_.size(), where, pixels, grey}, asked_, voxel_, &boxes_, context_);
    if (!found) return found.error();
    found->apply(pixels);
    LabelChange out = back(pixels.values, where, found->box);
    out.largest_after = found->largest_after;
    out.findings_after = found->findings_after;
    return out;
  }

  // The change of particles in a box, from the changed pixels of a window round it.
  [[nodiscard]] LabelChange back(const std::vector<std::uint32_t>& pixels, const Region& window,
                                 const Region& box) const {
    const Size3 n = window.size();
    LabelChangeBuilder builder(labels_, box);
    each_row_in(cells_, box, [&](const CellRow& row, const ParticleRange& some) {
      for (std::uint64_t i = some.begin; i < some.end; ++i) {
        const Region cell = cell_box(cells_, row, i);
        const Index3 p{(cell.begin.z + cell.end.z) / 2, (cell.begin.x + cell.end.x) / 2,
                       (cell.begin.y + cell.end.y) / 2};
        if (p.z < box.begin.z || p.z >= box.end.z || p.x < box.begin.x || p.x >= box.end.x ||
            p.y < box.begin.y || p.y >= box.end.y) {
          continue;
        }
        const std::int64_t at =
            ((p.z - window.begin.z) * n.x + p.x - window.begin.x) * n.y + p.y - window.begin.y;
        builder.put(i, 1, cell, pixels[static_cast<std::size_t>(at)]);
      }
    });
    return builder.take();
  }

  const Correction& asked_;
  const AprAccess& access_;
  const LinearAccess& cells_;
  const Labels& labels_;
  std::span<const float> values_;
  const VoxelSize& voxel_;
  const JobContext& context_;
  std::vector<std::uint32_t> at_points_;
  LabelRecords boxes_;
};

}  // namespace

Result<LabelChange> particle_correction(const Correction& asked, const AprAccess& access,
                                        const Labels& labels, std::span<const float> values,
                                        const VoxelSize& voxel, const LabelRecords* records,
                                        const JobContext& context) {
  return CorrectingParticles(asked, access, labels, values, voxel, context).made(records);
}

}  // namespace aprscope
