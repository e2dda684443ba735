#include "core/cells/corrections.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/cells/correction_points.hpp"
#include "core/cells/label_boxes.hpp"
#include "core/cells/label_patch.hpp"
#include "core/cells/split_flood.hpp"

namespace aprscope {
namespace {

Region united(const Region& a, const Region& b) {
  return {{std::min(a.begin.z, b.begin.z), std::min(a.begin.x, b.begin.x),
           std::min(a.begin.y, b.begin.y)},
          {std::max(a.end.z, b.end.z), std::max(a.end.x, b.end.x), std::max(a.end.y, b.end.y)}};
}

class Correcting {
 public:
  Correcting(const Correction& asked, const LabelWindow& in, const VoxelSize& voxel,
             const LabelRecords* records, const JobContext& context)
      : asked_(asked),
        in_(in),
        labels_(in.labels),
        size_(in.size),
        voxel_(voxel),
        records_(records),
        context_(context) {}

  Result<LabelChange> made() {
    if (Status ok = check(); !ok) return ok.error();
    switch (asked_.action) {
      case CorrectionAction::merge:
        return merged();
      case CorrectionAction::split:
        return split();
      case CorrectionAction::remove:
        return removed();
      case CorrectionAction::create:
        return created();
      case CorrectionAction::fill_holes:
        return filled();
      case CorrectionAction::grow:
        return grown();
      case CorrectionAction::shrink:
        return shrunk();
      case CorrectionAction::paint:
      case CorrectionAction::erase:
        return brushed();
      case CorrectionAction::relabel:
        return relabelled();
    }
    return refused_correction("is none that is known", "");
  }

 private:
  [[nodiscard]] std::size_t at(std::int64_t z, std::int64_t x, std::int64_t y) const {
    const Index3& from = in_.box.begin;
    const Size3 n = in_.box.size();
    return static_cast<std::size_t>(((z - from.z) * n.x + x - from.x) * n.y + y - from.y);
  }
  [[nodiscard]] std::uint32_t label_at(const Index3& p) const {
    return labels_.values[at(p.z, p.x, p.y)];
  }

  Status check() const {
    if (labels_.values.size() != static_cast<std::size_t>(in_.box.size().count())) {
      return refused_correction("has labels of another image", "choose those of this one");
    }
    return check_correction(asked_, size_);
  }

  std::vector<std::uint32_t> at_points() const {
    std::vector<std::uint32_t> out;
    for (const Index3& p : asked_.points) out.push_back(label_at(p));
    return out;
  }
  // The labels at the points, each once, in the order of the points.
  Result<std::vector<std::uint32_t>> meant() const {
    return labels_meant(asked_.points, at_points());
  }

  Result<std::vector<Region>> boxes(const std::vector<std::uint32_t>& wanted) const {
    if (records_ == nullptr) {
      return label_boxes({size_, labels_.values, labels_.largest}, wanted, context_);
    }
    std::vector<Region> out;
    for (const std::uint32_t label : wanted) {
      const LabelSums* known = records_->of(label);
      out.push_back(known != nullptr ? known->box : Region{});
    }
    return out;
  }
  Result<Region> box(const std::vector<std::uint32_t>& wanted) const {
    const auto each = boxes(wanted);
    if (!each) return each.error();
    Region all = each->front();
    for (const Region& one : *each) all = united(all, one);
    return all;
  }

  // What becomes of the pixels of a box: `after` of (z, x, y) and the label there.
  template <class After>
  Result<LabelChange> changed(const Region& box, const char* nothing, const After& after) const {
    LabelChangeBuilder builder(labels_, in_.box);
    for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
      if (context_.stop_requested()) return cancelled_error();
      for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
        for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
          builder.set(z, x, y, after(z, x, y, labels_.values[at(z, x, y)]));
        }
      }
    }
    LabelChange out = builder.take();
    if (out.empty()) return refused_correction("changes nothing", nothing);
    return out;
  }

  // The same where it depends on the label alone.
  template <class After>
  Result<LabelChange> renamed(const Region& box, const char* nothing, const After& after) const {
    LabelChangeBuilder builder(labels_, in_.box);
    for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
      if (context_.stop_requested()) return cancelled_error();
      context_.report(static_cast<double>(z - box.begin.z) / static_cast<double>(box.size().z),
                      "labels");
      for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
        const std::uint32_t* const row = labels_.values.data() + at(z, x, box.begin.y);
        const std::int64_t length = box.end.y - box.begin.y;
        for (std::int64_t y = 0; y < length;) {
          const std::int64_t begin = y;
          while (++y < length && row[y] == row[begin]) {
          }
          builder.set_run(z, x, box.begin.y + begin, box.begin.y + y, after(row[begin]));
        }
      }
    }
    LabelChange out = builder.take();
    if (out.empty()) return refused_correction("changes nothing", nothing);
    return out;
  }

  Result<BoxMask> mask_of(std::uint32_t label, const Region& box) const {
    BoxMask mask(box);
    for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
      if (context_.stop_requested()) return cancelled_error();
      for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
        for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
          mask.set[mask.index(z, x, y)] = labels_.values[at(z, x, y)] == label ? 1 : 0;
        }
      }
    }
    return mask;
  }

  Result<LabelChange> merged() const {
    const auto all = labels_to_merge(asked_.points, at_points());
    if (!all) return all.error();
    const auto where = box({all->begin() + 1, all->end()});
    if (!where) return where.error();
    return renamed(*where, "", [&](std::uint32_t label) {
      const bool one = std::find(all->begin(), all->end(), label) != all->end();
      return one ? all->front() : label;
    });
  }

  Result<LabelChange> split() const {
    const auto all = meant();
    if (!all) return all.error();
    if (all->size() > 1) {
      return refused_correction("has its points in " + std::to_string(all->size()) + " cells",
                                "choose all in the one that is to be divided");
    }
    std::vector<Index3> seeds;
    for (const Index3& p : asked_.points) {
      if (std::find(seeds.begin(), seeds.end(), p) == seeds.end()) seeds.push_back(p);
    }
    if (seeds.size() < 2) {
      return refused_correction("has one place to divide from",
                                "choose a point in each part of the cell");
    }
    if (Status ok = numbers_left(seeds.size() - 1); !ok) return ok.error();
    const auto where = box(*all);
    if (!where) return where.error();
    const auto mask = mask_of(all->front(), *where);
    if (!mask) return mask.error();
    const auto owner = divided_among_seeds(*mask, signal_in(*where), seeds, context_);
    if (!owner) return owner.error();
    return changed(*where, "choose other places", [&](auto z, auto x, auto y, std::uint32_t label) {
      const std::uint32_t seed = (*owner)[mask->index(z, x, y)];
      return seed < 2 ? label : labels_.largest + (seed - 1);
    });
  }

  // Walls are high, whatever they look like.
  std::vector<float> signal_in(const Region& box) const {
    std::vector<float> out;
    out.reserve(static_cast<std::size_t>(box.size().count()));
    std::visit(
        [&](const auto& pixels) {
          for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
            for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
              for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
                const auto value = static_cast<float>(pixels.values[at(z, x, y)]);
                out.push_back(asked_.dark_walls ? -value : value);
              }
            }
          }
        },
        in_.pixels);
    return out;
  }

  Status numbers_left(std::uint64_t wanted) const {
    if (wanted <= std::numeric_limits<std::uint32_t>::max() - labels_.largest) return {};
    return refused_correction("finds no number left for a new cell",
                              "number the cells from 1 on first");
  }

  Result<LabelChange> removed() const {
    const auto all = meant();
    if (!all) return all.error();
    const auto where = box(*all);
    if (!where) return where.error();
    return renamed(*where, "", [&](std::uint32_t label) {
      return std::find(all->begin(), all->end(), label) != all->end() ? 0U : label;
    });
  }

  // Where background ends at the image, it is not known to end.
  bool on_border(const Index3& p) const {
    return (size_.z > 1 && (p.z == 0 || p.z == size_.z - 1)) || p.x == 0 || p.x == size_.x - 1 ||
           p.y == 0 || p.y == size_.y - 1;
  }

  // Adds the background round `from` to `taken`, pixels in any order.
  Status flood(const Index3& from, std::vector<Index3>& taken) const {
    const double limit = asked_.radius * asked_.radius * (1.0 + 1e-9);
    const auto near = [&](const Index3& p) {
      if (!(asked_.radius > 0.0)) return true;
      const double dz = static_cast<double>(p.z - from.z) * voxel_.z;
      const double dx = static_cast<double>(p.x - from.x) * voxel_.x;
      const double dy = static_cast<double>(p.y - from.y) * voxel_.y;
      return dz * dz + dx * dx + dy * dy <= limit;
    };
    // One bit a pixel, of the box that can be reached.
    const bool bounded = asked_.radius > 0.0;
    const Region all = bounded ? box_with_margin({from, {from.z + 1, from.x + 1, from.y + 1}},
                                                 reach_in_pixels(asked_.radius, voxel_), size_)
                               : whole(size_);
    const BoxMask frame = [&] {
      BoxMask one;
      one.box = all;
      return one;
    }();
    std::vector<bool> seen(static_cast<std::size_t>(all.size().count()));
    std::vector<Index3> ways;
    const auto reach = [&](const Index3& p) {
      if (!frame.contains(p.z, p.x, p.y) || label_at(p) != 0 || !near(p)) return;
      const std::size_t i = frame.index(p.z, p.x, p.y);
      if (seen[i]) return;
      seen[i] = true;
      ways.push_back(p);
    };
    reach(from);
    for (std::uint64_t steps = 0; !ways.empty(); ++steps) {
      if (steps % 65536 == 0 && context_.stop_requested()) return cancelled_error();
      const Index3 p = ways.back();
      ways.pop_back();
      if (!bounded && on_border(p)) {
        return refused_correction("finds the background at " + place_text(from) +
                                      " open: it reaches the border of the image at " +
                                      place_text(p),
                                  "give a radius, or close the gap by painting");
      }
      taken.push_back(p);
      reach({p.z - 1, p.x, p.y});
      reach({p.z + 1, p.x, p.y});
      reach({p.z, p.x - 1, p.y});
      reach({p.z, p.x + 1, p.y});
      reach({p.z, p.x, p.y - 1});
      reach({p.z, p.x, p.y + 1});
    }
    return {};
  }

  Result<LabelChange> created() const {
    // Labels of pixels in memory order; of two the earlier one stays.
    std::vector<std::pair<std::size_t, std::uint32_t>> given;
    std::uint32_t next = labels_.largest;
    if (Status ok = numbers_left(asked_.points.size()); !ok) return ok.error();
    for (const Index3& p : asked_.points) {
      if (label_at(p) != 0) {
        return refused_correction("has a cell at " + place_text(p) + " already",
                                  "choose a point in the background, or divide that cell");
      }
      const auto here = std::pair(at(p.z, p.x, p.y), 0U);
      if (std::binary_search(given.begin(), given.end(), here,
                             [](const auto& a, const auto& b) { return a.first < b.first; })) {
        continue;
      }
      std::vector<Index3> taken;
      if (Status ok = flood(p, taken); !ok) return ok.error();
      ++next;
      for (const Index3& q : taken) given.emplace_back(at(q.z, q.x, q.y), next);
      std::sort(given.begin(), given.end());
      given.erase(std::unique(given.begin(), given.end(),
                              [](const auto& a, const auto& b) { return a.first == b.first; }),
                  given.end());
    }
    LabelChangeBuilder builder(labels_, in_.box);
    const Index3& from = in_.box.begin;
    const Size3 n = in_.box.size();
    for (const auto& [i, label] : given) {
      const auto p = static_cast<std::int64_t>(i);
      builder.set(from.z + p / n.y / n.x, from.x + p / n.y % n.x, from.y + p % n.y, label);
    }
    return builder.take();
  }

  // New pixels of each label, from a mask of it: `more` gives those of a box that become its own,
  // where they are background.
  template <class More>
  Result<LabelChange> extended(const Index3& margin, const char* nothing, const More& more) const {
    const auto all = meant();
    if (!all) return all.error();
    const auto each = boxes(*all);
    if (!each) return each.error();
    std::vector<BoxMask> gains;
    Region where = each->front();
    for (std::size_t i = 0; i < all->size(); ++i) {
      const Region box = box_with_margin((*each)[i], margin, size_);
      const auto mask = mask_of((*all)[i], box);
      if (!mask) return mask.error();
      auto gain = more(*mask);
      if (!gain) return gain.error();
      where = united(where, box);
      gains.push_back(*std::move(gain));
    }
    // Of two that want a pixel the first has it.
    return changed(where, nothing, [&](auto z, auto x, auto y, std::uint32_t label) {
      for (std::size_t i = 0; i < gains.size() && label == 0; ++i) {
        const BoxMask& gain = gains[i];
        if (gain.box.begin.z <= z && gain.contains(z, x, y) && gain.set[gain.index(z, x, y)] != 0) {
          return (*all)[i];
        }
      }
      return label;
    });
  }
  Result<LabelChange> filled() const {
    return extended({}, "the cell has no holes",
                    [&](const BoxMask& mask) { return holes_of(mask, size_.z == 1, context_); });
  }
  Result<LabelChange> grown() const {
    return extended(reach_in_pixels(asked_.radius, voxel_),
                    "there is no background so near, give a larger radius",
                    [&](const BoxMask& mask) {
                      return within_distance(mask, asked_.radius, voxel_, context_);
                    });
  }

  Result<LabelChange> shrunk() const {
    const auto all = meant();
    if (!all) return all.error();
    const auto each = boxes(*all);
    if (!each) return each.error();
    std::vector<BoxMask> losses;
    Region where = each->front();
    for (std::size_t i = 0; i < all->size(); ++i) {
      // One pixel more than the label has, so that what is not its own is seen on all sides.
      auto other = mask_of((*all)[i], box_with_margin((*each)[i], {1, 1, 1}, size_));
      if (!other) return other.error();
      for (std::uint8_t& one : other->set) one = one != 0 ? 0 : 1;
      auto loss = within_distance(*other, asked_.radius, voxel_, context_);
      if (!loss) return loss.error();
      bool stays = false;
      for (std::size_t k = 0; k < loss->set.size(); ++k) {
        stays = stays || (other->set[k] == 0 && loss->set[k] == 0);
      }
      if (!stays) {
        return refused_correction("takes a whole cell away",
                                  "give a smaller radius, or delete the cell");
      }
      where = united(where, loss->box);
      losses.push_back(*std::move(loss));
    }
    return changed(where, "give a larger radius", [&](auto z, auto x, auto y, std::uint32_t label) {
      for (std::size_t i = 0; i < losses.size(); ++i) {
        const BoxMask& loss = losses[i];
        if (label == (*all)[i] && loss.set[loss.index(z, x, y)] != 0) return 0U;
      }
      return label;
    });
  }

  Result<LabelChange> brushed() const {
    const bool paints = asked_.action == CorrectionAction::paint;
    const std::uint32_t label = paints ? label_at(asked_.points.front()) : 0;
    if (paints && label == 0) {
      return refused_correction("begins on background at " + place_text(asked_.points.front()),
                                "begin in the cell that is to grow, or make a new one");
    }
    Index3 reach = reach_in_pixels(asked_.radius, voxel_);
    const bool ball = asked_.slices < 0;
    if (!ball) reach.z = std::min(asked_.slices, size_.z);
    const auto round = [&](const Index3& p) {
      return box_with_margin({p, {p.z + 1, p.x + 1, p.y + 1}}, reach, size_);
    };
    Region where = round(asked_.points.front());
    for (const Index3& p : asked_.points) where = united(where, round(p));
    BoxMask brush(where);
    const double limit = asked_.radius * asked_.radius * (1.0 + 1e-9);
    for (const Index3& p : asked_.points) {
      if (context_.stop_requested()) return cancelled_error();
      const Region box = round(p);
      for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
        const double dz = ball ? static_cast<double>(z - p.z) * voxel_.z : 0.0;
        for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
          const double dx = static_cast<double>(x - p.x) * voxel_.x;
          for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
            const double dy = static_cast<double>(y - p.y) * voxel_.y;
            if (dz * dz + dx * dx + dy * dy <= limit) brush.set[brush.index(z, x, y)] = 1;
          }
        }
      }
    }
    return changed(where, paints ? "the cell is there already" : "there is no cell to erase",
                   [&](auto z, auto x, auto y, std::uint32_t before) {
                     return brush.set[brush.index(z, x, y)] != 0 ? label : before;
                   });
  }

  Result<LabelChange> relabelled() const {
    LabelSlots numbers(labels_.largest);
    auto out = renamed(
        whole(size_), "the cells have numbers from 1 on already",
        [&](std::uint32_t label) { return label == 0 ? 0 : numbers.find_or_add(label) + 1; });
    if (!out) return out;
    out->largest_after = static_cast<std::uint32_t>(numbers.size());
    renumber_findings(
        labels_,
        [&](std::uint32_t label) {
          const std::uint32_t slot = numbers.find(label);
          return slot == LabelSlots::kNone ? 0 : slot + 1;
        },
        *out);
    return out;
  }

  const Correction& asked_;
  const LabelWindow& in_;
  const Labels& labels_;
  Size3 size_;
  const VoxelSize& voxel_;
  const LabelRecords* records_;
  const JobContext& context_;
};

}  // namespace

Result<LabelChange> correction_in(const LabelWindow& window, const Correction& asked,
                                  const VoxelSize& voxel, const LabelRecords* records,
                                  const JobContext& context) {
  return Correcting(asked, window, voxel, records, context).made();
}

Result<LabelChange> correction(const Correction& asked, const Labels& labels,
                               const AnyPixels& pixels, const VoxelSize& voxel,
                               const LabelRecords* records, const JobContext& context) {
  const Size3 size = std::visit([](const auto& p) { return p.size; }, pixels);
  return correction_in({size, whole(size), labels, pixels}, asked, voxel, records, context);
}

}  // namespace aprscope
