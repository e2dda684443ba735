#include "core/filter/window_sweep.hpp"

#include <array>

namespace aprscope::detail {
namespace {

// Blocks that are computed before their results are stored.
constexpr std::int64_t kBatch = 8;

// Dense rows of some planes, plane z in place z modulo their number. A plane's rows reach as far
// beyond the slab as its quads do, also beyond the grid.
class Ring {
 public:
  Ring(const Slab& slab, float* rows)
      : slab_(slab),
        rows_(rows),
        planes_(planes(slab)),
        first_(2 * (slab.x0 - slab.halo_x())),
        width_(width(slab)) {}

  static std::int64_t planes(const Slab& slab) {
    return std::min(2 * slab.quads_z(), 2 * (2 * slab.halo_z() + 1));
  }
  static std::int64_t width(const Slab& slab) {
    return 2 * (slab.x1 - slab.x0 + 2 * slab.halo_x());
  }
  /// Values of one plane.
  static std::int64_t area(const Slab& slab) { return width(slab) * slab.stride(); }

  [[nodiscard]] float* plane(std::int64_t z) const {
    return rows_ + (z % planes_) * width_ * slab_.stride();
  }
  [[nodiscard]] std::int64_t row(std::int64_t x) const { return (x - first_) * slab_.stride(); }

  void fill(std::int64_t z, QuadSource& source, Boundary boundary) const {
    const Size3& grid = slab_.grid;
    bool filled = false;
    for (std::int64_t x = slab_.first_x(); x < slab_.last_x(); ++x) {
      std::array<float*, 4> rows{};
      std::size_t n = 0;
      for (std::int64_t cz = 2 * z; cz < std::min(2 * z + 2, grid.z); ++cz) {
        for (std::int64_t cx = 2 * x; cx < std::min(2 * x + 2, grid.x); ++cx) {
          rows[n++] = plane(cz) + row(cx);
        }
      }
      const QuadSource::Filled what = source.fill(z, x, rows.data());
      filled = filled || what != QuadSource::Filled::nothing;
      if (what != QuadSource::Filled::with_ends) continue;
      for (std::size_t i = 0; i < n; ++i) extend_row(slab_, boundary, rows[i]);
    }
    if (!filled) return;
    for (std::int64_t cz = 2 * z; cz < std::min(2 * z + 2, grid.z); ++cz) {
      for (std::int64_t x = first_; x < 0; ++x) extend(cz, x, boundary);
      for (std::int64_t x = grid.x; x < std::min(grid.x + slab_.radius.x, first_ + width_); ++x) {
        extend(cz, x, boundary);
      }
    }
  }

 private:
  // A row beyond the grid.
  void extend(std::int64_t z, std::int64_t x, Boundary boundary) const {
    float* const to = plane(z) + row(x);
    const std::int64_t from = reflect_index(x, slab_.grid.x);
    if (boundary == Boundary::zero) {
      std::fill(to, to + slab_.stride(), 0.0F);
    } else if (from >= first_ && from < first_ + width_) {
      std::copy_n(plane(z) + row(from), slab_.stride(), to);
    }
  }

  const Slab& slab_;
  float* rows_;
  std::int64_t planes_;
  std::int64_t first_;
  std::int64_t width_;
};

}  // namespace

void WindowFilter::shape(Slab& slab) const {
  // Planes that stay in the second-level cache, and enough of them to pay for the halo.
  constexpr std::int64_t kBytes = 640 * 1024;
  slab.z1 = std::clamp<std::int64_t>(12 * slab.halo_z(), 32, 64);
  for (slab.x1 = 16; slab.x1 > 4; slab.x1 /= 2) {
    const std::int64_t values = Ring::planes(slab) * Ring::area(slab);
    if (values * static_cast<std::int64_t>(sizeof(float)) <= kBytes) break;
  }
}

void WindowFilter::reserve(const Slab& largest, SweepScratch& scratch) const {
  const auto grow = [](auto& v, std::int64_t n) {
    if (v.size() < static_cast<std::size_t>(n)) v.resize(static_cast<std::size_t>(n));
  };
  grow(scratch.rows, Ring::planes(largest) * Ring::area(largest));
  grow(scratch.zeros, Ring::area(largest));
  grow(scratch.results, kBatch * 4 * kBlock);
  grow(scratch.planes, size_.z + 1);
  grow(scratch.pointers, size_.z + 1);
  grow(scratch.part, size_.z + 1);
  scratch.runs.reserve(64);
  scratch.starts.reserve(64);
}

void WindowFilter::run(const Slab& slab, QuadSource& source, Boundary boundary,
                       SweepScratch& scratch, const JobContext& context) const {
  const Ring ring(slab, scratch.rows.data());
  const Size3 r = slab.radius;
  const std::int64_t lines = size_.z + slab.outputs_z() - 1;
  const float** const planes = scratch.planes.data();
  const float** const corners = scratch.pointers.data();
  const Window window{corners, slab.stride(),    size_.z,         size_.x,
                      size_.y, slab.outputs_z(), slab.outputs_x()};
  std::int64_t filled = slab.first_z();
  for (std::int64_t z = slab.z0; z < slab.z1; ++z) {
    if (context.stop_requested()) return;
    for (; filled < std::min(slab.last_z(), z + slab.halo_z() + 1); ++filled) {
      ring.fill(filled, source, boundary);
    }
    for (std::int64_t i = 0; i < lines; ++i) {
      const std::int64_t cz = 2 * z - r.z + i;
      const bool inside = cz >= 0 && cz < slab.grid.z;
      // Past n + r is what only an output needs that a grid of odd size does not have.
      const bool none = (!inside && boundary == Boundary::zero) || cz >= slab.grid.z + r.z;
      planes[i] = none ? scratch.zeros.data() : ring.plane(reflect_index(cz, slab.grid.z));
    }
    for (std::int64_t x = slab.x0; x < slab.x1; ++x) {
      list_runs(source.active(z, x), slab, scratch.runs);
      if (scratch.runs.empty()) continue;
      if (context.stop_requested()) return;
      const std::int64_t corner = ring.row(2 * x - r.x) - r.y;
      for (std::int64_t i = 0; i < lines; ++i) corners[i] = planes[i] + corner;
      scratch.starts.clear();
      for (const std::int32_t y : scratch.runs) {
        scratch.starts.push_back(static_cast<std::int32_t>(y - slab.base()));
      }
      const auto count = static_cast<std::int64_t>(scratch.runs.size());
      for (std::int64_t i = 0; i < count; i += kBatch) {
        const std::int64_t n = std::min(kBatch, count - i);
        compute(window, scratch.starts.data() + i, n, scratch, scratch.results.data());
        source.store(z, x, scratch.runs.data() + i, n, scratch.results.data());
      }
    }
  }
}

}  // namespace aprscope::detail
