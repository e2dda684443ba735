#include "gpu/octet/octet_filter.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "gpu/octet/octet_shape.hpp"
#include "gpu/octet/octet_tree.hpp"

namespace aprscope::gpu {
namespace {

Int3 half(const Size3& n) {
  return {static_cast<int>(n.z / 2), static_cast<int>(n.x / 2), static_cast<int>(n.y / 2)};
}

// The stencil in the middle of a cube of side 2r + 1, zeros around it.
void embed(const Stencil& stencil, int r, float* weights) {
  const std::int64_t side = 2 * r + 1;
  const Size3& n = stencil.size;
  std::size_t i = 0;
  for (std::int64_t z = 0; z < n.z; ++z) {
    for (std::int64_t x = 0; x < n.x; ++x) {
      for (std::int64_t y = 0; y < n.y; ++y) {
        weights[((z + r - n.z / 2) * side + x + r - n.x / 2) * side + y + r - n.y / 2] =
            static_cast<float>(stencil.weights[i++]);
      }
    }
  }
}

bool fits(const Stencil& stencil, int r) {
  return std::max({stencil.size.z, stencil.size.x, stencil.size.y}) <= 2 * r + 1;
}

OctetStructure::Range operator+(OctetStructure::Range coarse, OctetStructure::Range fine) {
  return {coarse.first, coarse.count + fine.count};
}

// With fewer particles, the extra launches cost more than the memory traffic that fusing saves.
constexpr std::uint64_t kFuseFrom = 20'000'000;

}  // namespace

OctetConvolution::OctetConvolution(const OctetApr& apr, const StencilPyramid& stencils,
                                   Boundary boundary, Schedule schedule)
    : OctetConvolution(apr, nullptr, stencils, boundary, schedule) {}

OctetConvolution::OctetConvolution(const OctetApr& apr, const OctetPart& part,
                                   const StencilPyramid& stencils, Boundary boundary)
    : OctetConvolution(apr, &part, stencils, boundary, Schedule::beside) {}

OctetConvolution::OctetConvolution(const OctetApr& apr, const OctetPart* part,
                                   const StencilPyramid& stencils, Boundary boundary,
                                   Schedule schedule)
    : apr_(apr), part_(part), reflect_(boundary == Boundary::reflect), schedule_(schedule) {
  const int top = apr.structure().level_max();
  if (stencils.level_max() < top) {
    throw Failure{{"the stencils end at level " + std::to_string(stencils.level_max()) +
                       ", the particles at " + std::to_string(top),
                   "filter", "build the pyramid for this APR"}};
  }
  add_group(stencils.at(top), top);
  // A part has the same groups as the whole APR, so that the same kernels compute its levels.
  int finer = top;
  for (int l = top - 1; l >= 1; --l) {
    if (apr.structure().work(l).count == 0) continue;
    // Levels without particles have no work, so the ranges around them are adjacent.
    const OctetStructure::Range range = work(l);
    const int before = std::exchange(finer, l);
    Group& last = groups_.back();
    const bool first = groups_.size() == 1;
    if (!first && last.kind == Group::Kind::small && fits(stencils.at(l), 1) &&
        last.radius.z == 1) {
      last.by_level = true;
      embed(stencils.at(l), 1, last.small + l * 27);
      last.work = range + last.work;
    } else if (!first && stencils.at(l) == stencils.at(before)) {
      last.work = range + last.work;
    } else {
      add_group(stencils.at(l), l);
    }
  }
  for (Group& group : groups_) {
    // With one stencil for all its levels, a group needs no choice by level.
    if (group.kind != Group::Kind::small || group.radius.z != 1) continue;
    const float* const own = group.small + group.level * 27;
    bool same = true;
    for (int l = 1; l < group.level; ++l) {
      const float* const other = group.small + l * 27;
      if (apr.structure().work(l).count != 0 && group.by_level) {
        same = same && std::equal(own, own + 27, other);
      }
    }
    if (same) {
      std::copy_n(std::vector<float>(own, own + 27).data(), 27, group.small);
      group.by_level = false;
    }
  }
  for (Group& group : groups_) order_work(group);
  const bool small = groups_.front().kind == Group::Kind::small;
  if (schedule == Schedule::automatic) {
    schedule_ =
        small && apr.structure().particle_count() >= kFuseFrom ? Schedule::fused : Schedule::beside;
  }
  if (schedule_ == Schedule::fused && !small) schedule_ = Schedule::beside;
}

void OctetConvolution::add_group(const Stencil& stencil, int level) {
  Group group;
  group.level = level;
  group.work = work(level);
  group.radius = half(stencil.size);
  const int largest = std::max({group.radius.z, group.radius.x, group.radius.y});
  if (largest <= 2) {
    const int r = std::max(1, largest);
    group.radius = {r, r, r};
    embed(stencil, r, group.small + (r == 1 ? level * 27 : 0));
    groups_.push_back(std::move(group));
    return;
  }
  const auto factors = separate(stencil);
  const bool separable_cube = has_separable_cube(group.radius);
  if (factors && (separable_cube || (largest <= kMaxSeparableRadius &&
                                     choose_patch(group.radius, false).side != 0))) {
    group.cube = separable_cube;
    group.kind = Group::Kind::separable;
    for (std::size_t d = 0; d < 3; ++d) {
      std::transform((*factors)[d].begin(), (*factors)[d].end(), group.factors.w[d],
                     [](double w) { return static_cast<float>(w); });
    }
  } else {
    group.kind = Group::Kind::dense;
    group.cube = has_dense_cube(group.radius);
    const std::vector<float> plain(stencil.weights.begin(), stencil.weights.end());
    std::vector<float> weights(dense_weight_count(group.radius));
    dense_weights(plain.data(), group.radius, weights.data());
    group.weights = apr_.device().upload(std::span<const float>(weights), "stencil");
  }
  groups_.push_back(std::move(group));
}

void OctetConvolution::order_work(Group& group) const {
  if (!group.cube || group.kind != Group::Kind::separable || group.work.count == 0) return;
  const cudaStream_t stream = apr_.device().main();
  group.items = {group.work.count, "filter", stream};
  group.small_items = order_by_patch(view(), group.work.first, group.work.count, group.radius.z,
                                     group.items.data(), stream);
}

void OctetConvolution::launch(const Group& group, const OctetValues& in, const Target& target,
                              bool means, cudaStream_t stream) const {
  if (group.work.count == 0) return;
  if (group.kind == Group::Kind::small) {
    StencilJob job;
    job.first_work = group.work.first;
    job.work_count = group.work.count;
    job.in = in.data();
    job.target = target;
    job.means = means;
    job.radius = group.radius.z;
    job.by_level = group.by_level;
    std::copy(std::begin(group.small), std::end(group.small), job.weights);
    convolve_small(view(), job, stream);
    return;
  }
  const WideJob job{group.work.first, group.work.count, in.data(), target, group.radius};
  if (group.kind == Group::Kind::separable && group.cube) {
    convolve_separable_cube(
        view(), job, {group.items.data(), group.small_items, group.work.count - group.small_items},
        group.factors, stream);
  } else if (group.kind == Group::Kind::separable) {
    convolve_separable(view(), job, group.factors, stream);
  } else if (group.cube) {
    convolve_dense_cube(view(), job, group.weights.data(), stream);
  } else {
    convolve_dense(view(), job, group.weights.data(), stream);
  }
}

void OctetConvolution::run(const OctetValues& in, Target target) const {
  target.reflect = reflect_;
  const GpuDevice& device = apr_.device();
  const auto coarse = [&](cudaStream_t stream) {
    for (std::size_t i = 1; i < groups_.size(); ++i) {
      launch(groups_[i], in, target, false, stream);
    }
  };
  if (part_ != nullptr) {
    launch(groups_.front(), in, target, false, device.main());
    coarse(device.main());
    return;
  }
  if (schedule_ == Schedule::fused) {
    launch(groups_.front(), in, target, true, device.main());
    gpu::fill_tree(view(), in.data(), Reduce::mean, view().level_max - 1, device.main());
    coarse(device.main());
    return;
  }
  device.fork();
  gpu::fill_tree(view(), in.data(), Reduce::mean, view().level_max, device.side());
  coarse(device.side());
  launch(groups_.front(), in, target, false, device.main());
  device.join();
}

namespace {

// A job for the particles of all levels.
WideJob whole_job(const OctetApr& apr, const OctetValues& in, const OctetValues& out) {
  const OctetStructure& s = apr.structure();
  const OctetStructure::Range finest = s.work(s.level_max());
  WideJob job;
  job.work_count = finest.first + finest.count;
  job.in = in.data();
  job.target.out = out.data();
  return job;
}

}  // namespace

void total_variation(const OctetApr& apr, float edge, const OctetValues& in,
                     const OctetValues& out) {
  apr.fill_tree(in, Reduction::mean);
  WideJob job = whole_job(apr, in, out);
  job.radius = {1, 1, 1};
  total_variation(apr.view(), job, edge, apr.device().main());
}

void local_statistic(const OctetApr& apr, const OctetPart* part, LocalStatistic statistic,
                     const StatisticBox& box, int pixel_level, Boundary boundary,
                     const OctetValues& in, const OctetValues& out) {
  if (part == nullptr) apr.fill_tree(in, Reduction::mean);
  const OctetView& view = part != nullptr ? part->view() : apr.view();
  const auto work = [&](int level) {
    return part != nullptr ? part->work(level) : apr.structure().work(level);
  };
  const Statistic which = statistic == LocalStatistic::median ? Statistic::median
                          : statistic == LocalStatistic::min  ? Statistic::min
                          : statistic == LocalStatistic::max  ? Statistic::max
                                                              : Statistic::deviation;
  WideJob job;
  job.in = in.data();
  job.target.out = out.data();
  job.target.reflect = boundary == Boundary::reflect;
  // Takes levels of the same stencil size together; the work of coarser levels comes first.
  const int top = apr.structure().level_max();
  std::uint32_t end = work(top).first + work(top).count;
  for (int l = top; l >= 1; --l) {
    const Size3 size = statistic_size(box, pixel_level - l);
    if (l > 1 && statistic_size(box, pixel_level - l + 1) == size) continue;
    job.first_work = l > 1 ? work(l).first : 0;
    job.work_count = end - job.first_work;
    job.radius = half(size);
    local_statistic(view, job, which, apr.device().main());
    end = job.first_work;
  }
}

}  // namespace aprscope::gpu
