#include "gpu/octet_filter.hpp"

#include <algorithm>
#include <string>

#include "gpu/octet_shape.hpp"
#include "gpu/octet_tree.hpp"

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

OctetStructure::Range operator+(OctetStructure::Range coarse, OctetStructure::Range fine) {
  return {coarse.first, coarse.count + fine.count};
}

// Below this the launches weigh more than the traffic that fusing saves.
constexpr std::uint64_t kFuseFrom = 20'000'000;

}  // namespace

OctetConvolution::OctetConvolution(const OctetApr& apr, const StencilPyramid& stencils,
                                   Boundary boundary, Schedule schedule)
    : apr_(apr), reflect_(boundary == Boundary::reflect) {
  const int top = apr.structure().level_max();
  if (stencils.level_max() < top) {
    throw Failure{{"the stencils end at level " + std::to_string(stencils.level_max()) +
                       ", the particles at " + std::to_string(top),
                   "filter", "build the pyramid for this APR"}};
  }
  add_group(stencils.at(top), apr.structure().work(top));
  for (int l = top - 1; l >= 1; --l) {
    const OctetStructure::Range work = apr.structure().work(l);
    if (work.count == 0) continue;
    Group& last = groups_.back();
    // Levels without particles between two others have no work, so that ranges join.
    if (groups_.size() > 1 && stencils.at(l) == stencils.at(l + 1)) {
      last.work = work + last.work;
    } else {
      add_group(stencils.at(l), work);
    }
  }
  const bool large = apr.structure().particle_count() >= kFuseFrom;
  fused_ = groups_.front().kind == Group::Kind::small &&
           (schedule == Schedule::fused || (schedule == Schedule::automatic && large));
}

void OctetConvolution::add_group(const Stencil& stencil, OctetStructure::Range work) {
  Group group;
  group.work = work;
  group.radius = half(stencil.size);
  const int largest = std::max({group.radius.z, group.radius.x, group.radius.y});
  if (largest <= 2) {
    const int r = std::max(1, largest);
    group.radius = {r, r, r};
    embed(stencil, r, group.small);
    groups_.push_back(std::move(group));
    return;
  }
  const auto factors = separate(stencil);
  if (factors && largest <= kMaxSeparableRadius && choose_patch(group.radius, false).side != 0) {
    group.kind = Group::Kind::separable;
    for (std::size_t d = 0; d < 3; ++d) {
      std::transform((*factors)[d].begin(), (*factors)[d].end(), group.factors.w[d],
                     [](double w) { return static_cast<float>(w); });
    }
  } else {
    group.kind = Group::Kind::dense;
    const std::vector<float> plain(stencil.weights.begin(), stencil.weights.end());
    std::vector<float> weights(dense_weight_count(group.radius));
    dense_weights(plain.data(), group.radius, weights.data());
    group.weights = apr_.device().upload(std::span<const float>(weights), "stencil");
  }
  groups_.push_back(std::move(group));
}

void OctetConvolution::launch(const Group& group, const OctetValues& in, const Target& target,
                              bool means, cudaStream_t stream) const {
  if (group.kind == Group::Kind::small) {
    StencilJob job;
    job.first_work = group.work.first;
    job.work_count = group.work.count;
    job.in = in.data();
    job.target = target;
    job.means = means;
    job.radius = group.radius.z;
    std::copy(std::begin(group.small), std::end(group.small), job.weights);
    convolve_small(apr_.view(), job, stream);
    return;
  }
  const WideJob job{group.work.first, group.work.count, in.data(), target, group.radius};
  if (group.kind == Group::Kind::separable) {
    convolve_separable(apr_.view(), job, group.factors, stream);
  } else {
    convolve_dense(apr_.view(), job, group.weights.data(), stream);
  }
}

void OctetConvolution::run(const OctetValues& in, Target target) const {
  target.reflect = reflect_;
  const GpuDevice& device = apr_.device();
  const OctetView& view = apr_.view();
  const auto coarse = [&](cudaStream_t stream) {
    for (std::size_t i = 1; i < groups_.size(); ++i) {
      launch(groups_[i], in, target, false, stream);
    }
  };
  if (fused_) {
    launch(groups_.front(), in, target, true, device.main());
    gpu::fill_tree(view, in.data(), Reduce::mean, view.level_max - 1, device.main());
    coarse(device.main());
    return;
  }
  device.fork();
  gpu::fill_tree(view, in.data(), Reduce::mean, view.level_max, device.side());
  coarse(device.side());
  launch(groups_.front(), in, target, false, device.main());
  device.join();
}

void local_statistic(const OctetApr& apr, LocalStatistic statistic, const Size3& size,
                     Boundary boundary, const OctetValues& in, const OctetValues& out) {
  apr.fill_tree(in, Reduction::mean);
  const OctetStructure& s = apr.structure();
  const OctetStructure::Range finest = s.work(s.level_max());
  WideJob job;
  job.work_count = finest.first + finest.count;
  job.in = in.data();
  job.target.out = out.data();
  job.target.reflect = boundary == Boundary::reflect;
  job.radius = half(size);
  const Statistic which = statistic == LocalStatistic::median ? Statistic::median
                          : statistic == LocalStatistic::min  ? Statistic::min
                          : statistic == LocalStatistic::max  ? Statistic::max
                                                              : Statistic::deviation;
  local_statistic(apr.view(), job, which, apr.device().main());
}

}  // namespace aprscope::gpu
