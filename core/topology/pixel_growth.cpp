#include "core/topology/pixel_growth.hpp"

#include <algorithm>
#include <bit>

#include "core/base/parallel.hpp"
#include "core/topology/link_kernels.hpp"
#include "core/topology/place_slices.hpp"

namespace aprscope {
namespace {

// Slices of a block, which reads one more at each end; few, so that threads share small images.
constexpr std::int64_t kSlices = 16;

constexpr std::uint32_t kFlat = steps_along(0, 2, 2);
constexpr std::uint32_t kOut[3][2] = {{steps_along(-1, 2, 2), steps_along(1, 2, 2)},
                                      {steps_along(2, -1, 2), steps_along(2, 1, 2)},
                                      {steps_along(2, 2, -1), steps_along(2, 2, 1)}};

// Steps out of the image from the first and last of `extent` along an axis.
std::uint32_t beyond(int axis, std::int64_t at, std::int64_t extent) {
  return (at == 0 ? kOut[axis][0] : 0U) | (at + 1 == extent ? kOut[axis][1] : 0U);
}

void find_earlier(const LinkRow<std::uint8_t>& row) { link_kernels().find_8(row); }
void find_earlier(const LinkRow<std::uint16_t>& row) { link_kernels().find_16(row); }

template <class Place>
class Block {
 public:
  Block(const Size3& size, int levels, const PlaceRows<Place>& rows, const GrowthRule& rule,
        std::vector<std::uint32_t>& down)
      : size_(size),
        last_(levels - 1),
        rule_(rule),
        wanted_(size.z == 1 ? kFlat : kEveryStep),
        down_(down),
        slices_(size, rows),
        there_(static_cast<std::size_t>(size.y)),
        reached_(there_.size()) {
    for (int i = 0; i < kStepCount; ++i) {
      const Step& s = kSteps.step[i];
      offset_[i] = (s.z * size.x + s.x) * size.y + s.y;
    }
  }

  // Stops between two rows when asked to: an image of one slice is one block.
  void grow(std::int64_t first, std::int64_t end, Growth::Part& part, const JobContext& context) {
    slices_.load(first - 1);
    slices_.load(first);
    for (std::int64_t z = first; z < end; ++z) {
      slices_.load(z + 1);
      for (std::int64_t x = 0; x < size_.x && !context.stop_requested(); ++x) grow_row(z, x, part);
    }
  }

 private:
  void grow_row(std::int64_t z, std::int64_t x, Growth::Part& part) {
    LinkRow<Place> row;
    for (std::int64_t dz = 0; dz < 3; ++dz) {
      for (std::int64_t dx = 0; dx < 3; ++dx) row.rows[dz][dx] = slices_.at(z + dz - 1, x + dx - 1);
    }
    row.count = size_.y;
    row.earlier = there_.data();
    find_earlier(row);
    const std::uint32_t outside = wanted_ & (beyond(0, z, size_.z) | beyond(1, x, size_.x));
    find_there(outside);
    const ReachRow reach{there_.data(), reached_.data(), size_.y};
    (rule_.near == &kByFaces ? link_kernels().reach_by_faces : link_kernels().reach_by_all)(reach);
    const std::int64_t begin = (z * size_.x + x) * size_.y;
    add_row(begin, row.rows[1][1], outside, part);
  }

  // Turns steps to earlier cells into steps to cells that are there: falling, these are the others.
  void find_there(std::uint32_t outside) {
    const std::uint32_t turned = rule_.falling ? ~std::uint32_t{0} : 0U;
    const auto there = [&](std::uint32_t earlier, std::uint32_t out) {
      return ((earlier ^ turned) & wanted_ & ~out) | (out & turned);
    };
    const std::uint32_t first = there_.front();
    const std::uint32_t last = there_.back();
    for (std::uint32_t& steps : there_) steps = there(steps, outside);
    const auto n = static_cast<std::int64_t>(there_.size());
    there_.front() = there(first, outside | (wanted_ & beyond(2, 0, n)));
    there_.back() = there(last, outside | (wanted_ & beyond(2, n - 1, n)));
  }

  void add_row(std::int64_t begin, const Place* places, std::uint32_t outside, Growth::Part& part) {
    const std::uint32_t neighbours = rule_.near->neighbours;
    for (std::int64_t y = 0; y < size_.y; ++y) {
      const std::uint32_t there = there_[static_cast<std::size_t>(y)];
      const std::uint32_t near = there & neighbours;
      const std::uint32_t out = outside | (wanted_ & beyond(2, y, size_.y));
      std::uint32_t& down = down_[static_cast<std::size_t>(begin + y)];
      if (near == 0) {
        part.first.push_back(static_cast<std::uint32_t>(begin + y));
        part.first_place.push_back(enters(places[y]));
        continue;
      }
      down = cell_at(begin + y, std::countr_zero(first_of(near)), out);
      // Most have but one piece round them.
      if ((near & ~reached_[static_cast<std::size_t>(y)]) != 0) {
        add_joints(begin + y, there, out, enters(places[y]), part);
      }
    }
  }

  void add_joints(std::int64_t voxel, std::uint32_t there, std::uint32_t outside,
                  std::uint16_t place, Growth::Part& part) {
    const std::uint32_t first = down_[static_cast<std::size_t>(voxel)];
    bool others = false;
    each_part(*rule_.near, there, [&](int step) {
      if (others) part.joints.push_back({first, cell_at(voxel, step, outside), place});
      others = true;
    });
  }

  [[nodiscard]] std::uint32_t cell_at(std::int64_t voxel, int step, std::uint32_t outside) const {
    return (outside >> step & 1U) != 0 ? kExterior
                                       : static_cast<std::uint32_t>(voxel + offset_[step]);
  }
  [[nodiscard]] std::uint16_t enters(int place) const {
    return static_cast<std::uint16_t>(rule_.falling ? last_ - place : place);
  }

  Size3 size_;
  int last_;
  GrowthRule rule_;
  std::uint32_t wanted_;
  std::vector<std::uint32_t>& down_;
  PlaceSlices<Place> slices_;
  std::vector<std::uint32_t> there_;
  std::vector<std::uint32_t> reached_;
  std::int64_t offset_[kStepCount] = {};
};

}  // namespace

GrowthRule rule_of_sets(Construction construction) {
  return {construction == Construction::closed_voxels ? &kByAll : &kByFaces, false};
}
GrowthRule rule_of_rest(Construction construction) {
  return {construction == Construction::closed_voxels ? &kByFaces : &kByAll, true};
}

template <class Place>
Result<Growth> grow_pixels(const Size3& size, int levels, const PlaceRows<Place>& rows,
                           const GrowthRule& rule, const JobContext& context) {
  if (Status ok = check_cell_count(static_cast<std::uint64_t>(size.count())); !ok) {
    return ok.error();
  }
  Growth growth;
  growth.has_exterior = rule.falling;
  growth.down.resize(static_cast<std::size_t>(size.count()));
  const std::int64_t blocks = (size.z + kSlices - 1) / kSlices;
  growth.parts.resize(static_cast<std::size_t>(blocks));
  const int threads = growth_threads(growth.down.size());
  const bool done = parallel_items(blocks, threads, context, "pieces", [&](std::int64_t i, int) {
    Block<Place> block(size, levels, rows, rule, growth.down);
    block.grow(i * kSlices, std::min(size.z, (i + 1) * kSlices),
               growth.parts[static_cast<std::size_t>(i)], context);
  });
  if (!done || context.stop_requested()) return cancelled_error();
  return growth;
}

template Result<Growth> grow_pixels(const Size3&, int, const PlaceRows<std::uint8_t>&,
                                    const GrowthRule&, const JobContext&);
template Result<Growth> grow_pixels(const Size3&, int, const PlaceRows<std::uint16_t>&,
                                    const GrowthRule&, const JobContext&);

}  // namespace aprscope
