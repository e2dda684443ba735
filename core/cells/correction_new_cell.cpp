#include "core/cells/correction_new_cell.hpp"

#include <algorithm>
#include <utility>

namespace aprscope {
namespace {

// Background that is connected across faces with a pixel, as far as the radius.
class NewCellFlood {
 public:
  NewCellFlood(const CorrectionFrame& frame, const Index3& from)
      : frame_(frame),
        from_(from),
        bounded_(frame.asked().radius > 0.0),
        limit_(frame.asked().radius * frame.asked().radius * (1.0 + 1e-9)) {
    reached_.box = bounded_ ? box_with_margin({from, {from.z + 1, from.x + 1, from.y + 1}},
                                              reach_in_pixels(frame.asked().radius, frame.voxel()),
                                              frame.size())
                            : frame.box();
    seen_.resize(static_cast<std::size_t>(reached_.box.size().count()));
  }

  // The pixels of the new cell, in any order.
  Result<std::vector<Index3>> taken() {
    std::vector<Index3> out;
    reach(from_);
    for (std::uint64_t steps = 0; !ways_.empty(); ++steps) {
      if (steps % 65536 == 0 && frame_.context().stop_requested()) return cancelled_error();
      const Index3 p = ways_.back();
      ways_.pop_back();
      const Region unit{p, {p.z + 1, p.x + 1, p.y + 1}};
      if (!bounded_ && is_on_border(unit, frame_.size())) return open_background(from_);
      out.push_back(p);
      reach({p.z - 1, p.x, p.y});
      reach({p.z + 1, p.x, p.y});
      reach({p.z, p.x - 1, p.y});
      reach({p.z, p.x + 1, p.y});
      reach({p.z, p.x, p.y - 1});
      reach({p.z, p.x, p.y + 1});
    }
    return out;
  }

 private:
  [[nodiscard]] bool is_near(const Index3& p) const {
    if (!bounded_) return true;
    const VoxelSize& voxel = frame_.voxel();
    const double dz = static_cast<double>(p.z - from_.z) * voxel.z;
    const double dx = static_cast<double>(p.x - from_.x) * voxel.x;
    const double dy = static_cast<double>(p.y - from_.y) * voxel.y;
    return dz * dz + dx * dx + dy * dy <= limit_;
  }
  void reach(const Index3& p) {
    if (!reached_.contains(p.z, p.x, p.y) || frame_.label_at(p) != 0 || !is_near(p)) return;
    const std::size_t i = reached_.index(p.z, p.x, p.y);
    if (seen_[i]) return;
    seen_[i] = true;
    ways_.push_back(p);
  }

  const CorrectionFrame& frame_;
  Index3 from_;
  bool bounded_;
  double limit_;
  // Only the box is used, not the flags: `seen_` needs one bit a pixel.
  BoxMask reached_;
  std::vector<bool> seen_;
  std::vector<Index3> ways_;
};

}  // namespace

Result<LabelChange> created(const CorrectionFrame& frame) {
  const std::vector<Index3>& points = frame.asked().points;
  if (Status ok = numbers_left(points.size(), frame.labels().largest); !ok) return ok.error();
  // Labels of pixels in memory order; of two the earlier one stays.
  std::vector<std::pair<std::size_t, std::uint32_t>> given;
  const auto is_before = [](const auto& a, const auto& b) { return a.first < b.first; };
  std::uint32_t next = frame.labels().largest;
  for (const Index3& p : points) {
    if (frame.label_at(p) != 0) return cell_there(p);
    const auto here = std::pair(frame.at(p.z, p.x, p.y), 0U);
    if (std::binary_search(given.begin(), given.end(), here, is_before)) continue;
    const auto taken = NewCellFlood(frame, p).taken();
    if (!taken) return taken.error();
    ++next;
    for (const Index3& q : *taken) given.emplace_back(frame.at(q.z, q.x, q.y), next);
    std::sort(given.begin(), given.end());
    given.erase(std::unique(given.begin(), given.end(),
                            [](const auto& a, const auto& b) { return a.first == b.first; }),
                given.end());
  }
  LabelChangeBuilder builder(frame.labels(), frame.box());
  const Index3& from = frame.box().begin;
  const Size3 n = frame.box().size();
  for (const auto& [i, label] : given) {
    const auto p = static_cast<std::int64_t>(i);
    builder.set(from.z + p / n.y / n.x, from.x + p / n.y % n.x, from.y + p % n.y, label);
  }
  return builder.take();
}

}  // namespace aprscope
