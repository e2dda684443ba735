#include "core/filter/window_sweep.hpp"

#include <array>

namespace aprscope::detail {
namespace {

// Blocks that are computed before their results are stored.
constexpr std::int64_t kBatch = 8;

// Dense rows of some planes: plane z lies in place z modulo their number.
class Ring {
 public:
  Ring(const Slab& slab, float* rows)
      : slab_(slab),
        rows_(rows),
        planes_(planes(slab)),
        first_(2 * slab.first_x()),
        width_(2 * (slab.last_x() - slab.first_x())) {}

  static std::int64_t planes(const Slab& slab) {
    return std::min(2 * slab.quads_z(), 2 * (2 * slab.halo_z() + 1));
  }
  static std::int64_t floats(const Slab& shape) {
    const std::int64_t x = std::min(shape.quads_x(), shape.x1 - shape.x0 + 2 * shape.halo_x());
    return planes(shape) * 2 * x * shape.stride();
  }

  [[nodiscard]] float* plane(std::int64_t z) const {
    return rows_ + (z % planes_) * width_ * slab_.stride();
  }
  [[nodiscard]] std::int64_t row(std::int64_t x) const { return (x - first_) * slab_.stride(); }

 private:
  const Slab& slab_;
  float* rows_;
  std::int64_t planes_;
  std::int64_t first_;
  std::int64_t width_;
};

void fill_plane(const Slab& slab, const Ring& ring, std::int64_t z, QuadSource& source,
                Boundary boundary) {
  for (std::int64_t x = slab.first_x(); x < slab.last_x(); ++x) {
    std::array<float*, 4> rows{};
    std::size_t n = 0;
    for (std::int64_t cz = 2 * z; cz < std::min(2 * z + 2, slab.grid.z); ++cz) {
      for (std::int64_t cx = 2 * x; cx < std::min(2 * x + 2, slab.grid.x); ++cx) {
        rows[n++] = ring.plane(cz) + ring.row(cx);
      }
    }
    if (!source.fill(z, x, rows.data())) continue;
    for (std::size_t i = 0; i < n; ++i) extend_row(slab, boundary, rows[i]);
  }
}

}  // namespace

void WindowFilter::shape(Slab& slab) const {
  // Planes that stay in the second-level cache, and enough of them to pay for the halo.
  constexpr std::int64_t kBytes = 640 * 1024;
  slab.z1 = std::clamp<std::int64_t>(8 * slab.halo_z(), 16, 64);
  for (slab.x1 = 16; slab.x1 > 4; slab.x1 /= 2) {
    if (Ring::floats(slab) * static_cast<std::int64_t>(sizeof(float)) <= kBytes) break;
  }
}

void WindowFilter::reserve(const Slab& largest, SweepScratch& scratch) const {
  const auto grow = [](auto& v, std::int64_t n) {
    if (v.size() < static_cast<std::size_t>(n)) v.resize(static_cast<std::size_t>(n));
  };
  grow(scratch.rows, Ring::floats(largest));
  grow(scratch.zeros, largest.stride());
  grow(scratch.results, kBatch * 4 * kBlock);
  const std::int64_t lines_z = size_.z + largest.outputs_z() - 1;
  const std::int64_t lines_x = size_.x + largest.outputs_x() - 1;
  grow(scratch.pointers, lines_z * lines_x);
  grow(scratch.part, lines_z * lines_x);
  scratch.blocks.reserve(64);
  scratch.starts.reserve(64);
}

void WindowFilter::run(const Slab& slab, QuadSource& source, Boundary boundary,
                       SweepScratch& scratch, const JobContext& context) const {
  const Ring ring(slab, scratch.rows.data());
  const Size3 r = slab.radius;
  const std::int64_t lines_z = size_.z + slab.outputs_z() - 1;
  const std::int64_t lines_x = size_.x + slab.outputs_x() - 1;
  const float** const rows = scratch.pointers.data();
  const Window window{rows, size_.z, size_.x, size_.y, slab.outputs_z(), slab.outputs_x()};
  // Also what only an output needs that the grid, of odd size, does not have.
  const auto outside = [&](std::int64_t i, std::int64_t n, std::int64_t radius) {
    return i >= n + radius || (boundary == Boundary::zero && (i < 0 || i >= n));
  };
  std::int64_t filled = slab.first_z();
  for (std::int64_t z = slab.z0; z < slab.z1; ++z) {
    if (context.stop_requested()) return;
    for (; filled < std::min(slab.last_z(), z + slab.halo_z() + 1); ++filled) {
      fill_plane(slab, ring, filled, source, boundary);
    }
    for (std::int64_t x = slab.x0; x < slab.x1; ++x) {
      const std::uint64_t mask = source.active(z, x);
      if (mask == 0) continue;
      if (context.stop_requested()) return;
      list_blocks(mask, slab.b0, scratch.blocks);
      scratch.starts.clear();
      for (const std::int32_t b : scratch.blocks) {
        scratch.starts.push_back(static_cast<std::int32_t>(b * kBlock - slab.base() - r.y));
      }
      for (std::int64_t i = 0; i < lines_z; ++i) {
        const std::int64_t cz = 2 * z - r.z + i;
        const float* const plane =
            outside(cz, slab.grid.z, r.z) ? nullptr : ring.plane(reflect_index(cz, slab.grid.z));
        for (std::int64_t j = 0; j < lines_x; ++j) {
          const std::int64_t cx = 2 * x - r.x + j;
          rows[i * lines_x + j] = plane == nullptr || outside(cx, slab.grid.x, r.x)
                                      ? scratch.zeros.data()
                                      : plane + ring.row(reflect_index(cx, slab.grid.x));
        }
      }
      const auto count = static_cast<std::int64_t>(scratch.blocks.size());
      for (std::int64_t i = 0; i < count; i += kBatch) {
        const std::int64_t n = std::min(kBatch, count - i);
        compute(window, scratch.starts.data() + i, n, scratch, scratch.results.data());
        source.store(z, x, scratch.blocks.data() + i, n, scratch.results.data());
      }
    }
  }
}

}  // namespace aprscope::detail
