#include "core/cells/correction_frame.hpp"

#include <utility>

#include "core/cells/label_boxes.hpp"
#include "core/cells/particle_region.hpp"

namespace aprscope {

std::vector<std::uint32_t> CorrectionFrame::at_points() const {
  std::vector<std::uint32_t> out;
  for (const Index3& p : asked_.points) out.push_back(label_at(p));
  return out;
}

Result<std::vector<Region>> CorrectionFrame::boxes_of(
    const std::vector<std::uint32_t>& wanted) const {
  if (records_ == nullptr) {
    return label_boxes({in_.size, in_.labels.values, in_.labels.largest}, wanted, context_);
  }
  std::vector<Region> out;
  for (const std::uint32_t label : wanted) {
    const LabelSums* known = records_->of(label);
    out.push_back(known != nullptr ? known->box : Region{});
  }
  return out;
}

Result<Region> CorrectionFrame::box_of(const std::vector<std::uint32_t>& wanted) const {
  const auto each = boxes_of(wanted);
  if (!each) return each.error();
  Region all = each->front();
  for (const Region& one : *each) all = united_box(all, one);
  return all;
}

Result<BoxMask> CorrectionFrame::mask_of(std::uint32_t label, const Region& box) const {
  BoxMask mask(box);
  for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
    if (context_.stop_requested()) return cancelled_error();
    for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
      for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
        mask.set[mask.index(z, x, y)] = in_.labels.values[at(z, x, y)] == label ? 1 : 0;
      }
    }
  }
  return mask;
}

Result<LabelChange> CorrectionFrame::unless_empty(LabelChange change, const char* nothing) {
  if (change.empty()) return refused_correction("changes nothing", nothing);
  return change;
}

}  // namespace aprscope
