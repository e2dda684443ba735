#include "core/deconvolution/blur/coarser_access.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

// Calls visit(index in the coarse row's particles, index of the particle or interior cell, whether
// it is a particle) for the cells of row (z, x) of level_max − 1, in the order of y.
template <class Visit>
void merge_row(const AprAccess& access, std::int64_t z, std::int64_t x, const Visit& visit) {
  const int level = access.level_max() - 1;
  const std::uint16_t* const py = access.particles().y().data();
  const std::uint16_t* const ty = access.tree().y().data();
  ParticleRange p = access.particles().row(level, z, x);
  ParticleRange t = access.tree().row(level, z, x);
  for (std::uint64_t k = 0; !p.empty() || !t.empty(); ++k) {
    const bool particle = t.empty() || (!p.empty() && py[p.begin] < ty[t.begin]);
    visit(k, particle ? p.begin++ : t.begin++, particle);
  }
}

template <class Work>
void for_each_row(const Size3& grid, const Work& work) {
  parallel_for(grid.z * grid.x, thread_count(),
               [&](std::int64_t r) { work(r / grid.x, r % grid.x); });
}

std::uint64_t shared_prefix(const AprAccess& access) {
  return access.particles().level(access.level_max() - 1).begin;
}

}  // namespace

Result<std::shared_ptr<const AprAccess>> coarser(const AprAccess& access) {
  const int level = access.level_max() - 1;
  if (level < 1) {
    return Error{"the image is too small for a coarser level", "blur", "use the full scheme"};
  }
  const LinearAccess& cells = access.particles();
  const Size3 size = cells.grid(level);
  std::vector<std::uint16_t> y(
      cells.y().begin(), cells.y().begin() + static_cast<std::ptrdiff_t>(shared_prefix(access)));
  y.reserve(y.size() + cells.level(level).count() + access.tree().level(level).count());
  std::vector<std::uint64_t> xz_end(
      cells.xz_end().begin(),
      cells.xz_end().begin() + static_cast<std::ptrdiff_t>(cells.first_row(level)));
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      merge_row(access, z, x, [&](std::uint64_t, std::uint64_t i, bool particle) {
        y.push_back(particle ? cells.y()[i] : access.tree().y()[i]);
      });
      xz_end.push_back(y.size());
    }
  }
  auto linear = LinearAccess::create(size, level, 1, level, std::move(y), std::move(xz_end));
  if (!linear) return linear.error();
  return AprAccess::create(*std::move(linear));
}

void restrict_values(const AprAccess& access, std::span<const float> particles,
                     std::span<const float> tree, const AprAccess& coarse, std::span<float> out) {
  const int level = coarse.level_max();
  std::copy_n(particles.begin(), shared_prefix(access), out.begin());
  for_each_row(coarse.size(), [&](std::int64_t z, std::int64_t x) {
    const std::uint64_t first = coarse.particles().row(level, z, x).begin;
    merge_row(access, z, x, [&](std::uint64_t k, std::uint64_t i, bool particle) {
      out[first + k] = particle ? particles[i] : tree[i];
    });
  });
}

void add_shared(const AprAccess& access, const AprAccess& coarse, std::span<const float> values,
                std::span<float> out) {
  const int level = coarse.level_max();
  for (std::uint64_t i = 0; i < shared_prefix(access); ++i) out[i] += values[i];
  for_each_row(coarse.size(), [&](std::int64_t z, std::int64_t x) {
    const std::uint64_t first = coarse.particles().row(level, z, x).begin;
    merge_row(access, z, x, [&](std::uint64_t k, std::uint64_t i, bool particle) {
      if (particle) out[i] += values[first + k];
    });
  });
}

}  // namespace aprscope
