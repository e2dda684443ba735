#include "core/cells/correction_growth.hpp"

#include <utility>

#include "core/cells/particle_region.hpp"

namespace aprscope {
namespace {

// New pixels of each label, from a mask of it: `more` gives those of a box that become its own,
// where they are background.
template <class More>
Result<LabelChange> extended(const CorrectionFrame& frame, const Index3& margin,
                             const char* nothing, const More& more) {
  const auto all = frame.meant();
  if (!all) return all.error();
  const auto each = frame.boxes_of(*all);
  if (!each) return each.error();
  std::vector<BoxMask> gains;
  Region where = each->front();
  for (std::size_t i = 0; i < all->size(); ++i) {
    const Region box = box_with_margin((*each)[i], margin, frame.size());
    const auto mask = frame.mask_of((*all)[i], box);
    if (!mask) return mask.error();
    auto gain = more(*mask);
    if (!gain) return gain.error();
    where = united_box(where, box);
    gains.push_back(*std::move(gain));
  }
  return frame.changed(where, nothing, [&](auto z, auto x, auto y, std::uint32_t label) {
    for (std::size_t i = 0; i < gains.size() && label == 0; ++i) {
      const BoxMask& gain = gains[i];
      if (gain.contains(z, x, y) && gain.set[gain.index(z, x, y)] != 0) return (*all)[i];
    }
    return label;
  });
}

}  // namespace

Result<LabelChange> holes_filled(const CorrectionFrame& frame) {
  return extended(frame, {}, "the cell has no holes", [&](const BoxMask& mask) {
    return holes_of(mask, frame.size().z == 1, frame.context());
  });
}

Result<LabelChange> grown(const CorrectionFrame& frame) {
  const double radius = frame.asked().radius;
  return extended(frame, reach_in_pixels(radius, frame.voxel()),
                  "there is no background so near, give a larger radius", [&](const BoxMask& mask) {
                    return within_distance(mask, radius, frame.voxel(), frame.context());
                  });
}

Result<LabelChange> shrunk(const CorrectionFrame& frame) {
  const auto all = frame.meant();
  if (!all) return all.error();
  const auto each = frame.boxes_of(*all);
  if (!each) return each.error();
  std::vector<BoxMask> losses;
  Region where = each->front();
  for (std::size_t i = 0; i < all->size(); ++i) {
    // A margin of one pixel, so that pixels of other labels are seen on all sides.
    auto other = frame.mask_of((*all)[i], box_with_margin((*each)[i], {1, 1, 1}, frame.size()));
    if (!other) return other.error();
    for (std::uint8_t& one : other->set) one = one != 0 ? 0 : 1;
    auto loss = within_distance(*other, frame.asked().radius, frame.voxel(), frame.context());
    if (!loss) return loss.error();
    bool stays = false;
    for (std::size_t k = 0; k < loss->set.size(); ++k) {
      stays = stays || (other->set[k] == 0 && loss->set[k] == 0);
    }
    if (!stays) {
      return refused_correction("takes a whole cell away",
                                "give a smaller radius, or delete the cell");
    }
    where = united_box(where, loss->box);
    losses.push_back(*std::move(loss));
  }
  return frame.changed(where, "give a larger radius",
                       [&](auto z, auto x, auto y, std::uint32_t label) {
                         for (std::size_t i = 0; i < losses.size(); ++i) {
                           const BoxMask& loss = losses[i];
                           if (label == (*all)[i] && loss.set[loss.index(z, x, y)] != 0) return 0U;
                         }
                         return label;
                       });
}

}  // namespace aprscope
