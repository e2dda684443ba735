#include <algorithm>

#include "gpu/topology/strata_counting.hpp"

namespace aprscope::gpu {
namespace {

constexpr const char* kParticles = "particles on the GPU";
constexpr std::size_t kClasses = 8;
// Every 101st particle is sampled to find the most frequent places.
constexpr std::size_t kParticleStep = 101;
constexpr double kNearlyAll = 0.9;

}  // namespace

ParticleStrata::ParticleStrata(const OctetApr& apr, std::span<const std::uint16_t> places,
                               int levels, Construction construction)
    : apr_(apr) {
  GpuDevice& device = apr.device();
  const cudaStream_t stream = device.main();
  const Size3& n = apr.access().size();
  job_.size = {static_cast<int>(n.z), static_cast<int>(n.x), static_cast<int>(n.y)};
  job_.reverse = construction == Construction::vertices;
  job_.levels = static_cast<std::uint32_t>(levels);
  place_window(places);
  const int level_max = apr.access().level_max();
  scratch_ = {particle_strata_scratch(level_max, job_.levels), kParticles, stream};
  sums_ = {std::uint64_t{job_.levels} * kClasses, kParticles, stream};
  scratch_.zero();
  sums_.zero();
  cells_ = {apr.structure().slot_count(), kParticles, stream};
  const auto linear = device.upload(places, kParticles);
  to_strata_cells(apr.view(), linear.data(), job_.reverse, job_.levels, cells_.data(), stream);
  job_.cells = cells_.data();
}

// Chooses the smallest window that holds nearly all places: places outside take longer to count,
// but a large window leaves room for few blocks at once, which slows down everything.
void ParticleStrata::place_window(std::span<const std::uint16_t> places) {
  std::vector<std::uint16_t> sample;
  for (std::size_t i = 0; i < places.size(); i += kParticleStep) {
    sample.push_back(job_.reverse ? static_cast<std::uint16_t>(job_.levels - 1U - places[i])
                                  : places[i]);
  }
  for (const std::uint32_t most : particle_strata_windows()) {
    job_.window_count = std::min(most, job_.levels);
    const DenseBins bins = densest_bins(sample, job_.window_count);
    job_.window_first = std::min(bins.first, job_.levels - job_.window_count);
    if (job_.window_count == job_.levels || bins.share > kNearlyAll) return;
  }
}

std::uint32_t ParticleStrata::parts() const {
  std::uint32_t most = 0;
  for (int level = 1; level <= apr_.view().level_max; ++level) {
    most = std::max(most, apr_.structure().work(level).count);
  }
  return (most + kMostStrataBricks - 1) / kMostStrataBricks;
}

void ParticleStrata::enqueue(std::uint32_t part) const {
  ParticleStrataJob job = job_;
  for (int level = 1; level <= apr_.view().level_max; ++level) {
    const auto range = apr_.structure().work(level);
    const std::uint32_t skipped = std::min(range.count, part * kMostStrataBricks);
    job.level_count[level] = range.count;
    job.first_work[level] = range.first + skipped;
    job.work_count[level] = std::min(kMostStrataBricks, range.count - skipped);
  }
  const GpuDevice& device = apr_.device();
  count_particle_strata(apr_.view(), job, scratch_.data(), sums_.data(), device.multiprocessors(),
                        device.main());
}

void ParticleStrata::enqueue() const {
  for (std::uint32_t part = 0; part < parts(); ++part) enqueue(part);
}

StrataCounts ParticleStrata::counts() const {
  std::vector<StrataCounts::OfLevel> all(job_.levels);
  static_assert(sizeof all[0] == kClasses * sizeof(unsigned long long));
  apr_.device().download(sums_.data(), all.data(), sums_.bytes());
  if (job_.reverse) std::reverse(all.begin(), all.end());
  return {std::move(all)};
}

std::uint64_t ParticleStrata::bytes(const AprAccess& access, int levels) {
  const std::uint64_t octets = access.tree().count() + 1;
  return octets * 8 * sizeof(StrataCell) + access.count() * sizeof(std::uint16_t) +
         (particle_strata_scratch(access.level_max(), static_cast<std::uint32_t>(levels)) +
          static_cast<std::uint64_t>(levels) * kClasses) *
             sizeof(unsigned long long);
}

}  // namespace aprscope::gpu
