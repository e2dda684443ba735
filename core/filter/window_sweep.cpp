#include "core/filter/window_sweep.hpp"

#include <array>
#include <optional>

#include <immintrin.h>

#include "core/filter/row_ring.hpp"

namespace aprscope::detail {
namespace {

// Blocks that are computed before their results are stored.
constexpr std::int64_t kBatch = 16;

// The pixels of a slab whose neighbourhoods lie in the image: quads [x0, x1) in x, runs that begin
// at y0, y0 + 16 … before y1. The rest of the slab is up to four strips, which are computed from
// filled rows.
struct Inside {
  std::int64_t x0 = 0, x1 = 0;
  std::int64_t y0 = 0, y1 = 0;
  std::array<Slab, 4> strips;
  std::size_t strip_count = 0;

  Inside(const Slab& slab, const float* aligned_to) {
    const Size3& n = slab.grid;
    const Size3& r = slab.radius;
    x0 = std::max(slab.x0, slab.halo_x());
    const std::int64_t last_x = n.x - r.x - slab.outputs_x();
    x1 = last_x < 0 ? x0 : std::min(slab.x1, last_x / 2 + 1);
    const std::int64_t begin = std::max(slab.b0, slab.wanted.begin.y / kBlock) * kBlock;
    const std::int64_t end = std::min(slab.b1 * kBlock, slab.wanted.end.y);
    // Runs that fill whole lines of the result, where its rows allow that.
    const auto words =
        static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(aligned_to) / sizeof(float));
    std::int64_t shift = n.y % kBlock == 0 ? (begin + words) % kBlock : 0;
    shift -= shift % 2;
    y0 = begin - shift;
    if (y0 < r.y) y0 += (r.y - y0 + kBlock - 1) / kBlock * kBlock;
    y1 = y0;
    while (y1 < end && y1 + kBlock + r.y <= n.y) y1 += kBlock;
    if (x0 >= x1 || y0 >= y1) {
      x0 = x1 = slab.x0;
      strips[strip_count++] = slab;
      return;
    }
    const auto add = [&](std::int64_t xb, std::int64_t xe, std::int64_t bb, std::int64_t be) {
      if (xb >= xe || bb >= be) return;
      Slab& s = strips[strip_count++];
      s = slab;
      s.x0 = xb;
      s.x1 = xe;
      s.b0 = bb;
      s.b1 = be;
    };
    add(slab.x0, x0, slab.b0, slab.b1);
    add(x1, slab.x1, slab.b0, slab.b1);
    if (y0 > begin) add(x0, x1, begin / kBlock, (y0 + kBlock - 1) / kBlock);
    if (y1 < end) add(x0, x1, y1 / kBlock, slab.b1);
  }
};

// Walks a slab, or a strip of one, along z.
class WindowWalk {
 public:
  WindowWalk(const WindowFilter& filter, const Size3& size, const Slab& slab, Boundary boundary,
             SweepScratch& scratch, float* rows)
      : filter_(filter),
        size_(size),
        slab_(slab),
        boundary_(boundary),
        scratch_(scratch),
        ring_(slab, rows),
        filled_(slab.first_z()) {}

  // Computes quad plane z; call it for one plane after the other.
  void step(std::int64_t z, QuadSource& source, const JobContext& context) {
    for (; filled_ < std::min(slab_.last_z(), z + slab_.halo_z() + 1); ++filled_) {
      ring_.fill(filled_, source, boundary_);
    }
    find_planes(z, [&](std::int64_t cz) -> const float* { return ring_.plane(cz); });
    // Runs of all quads one after another, so that few are computed alone.
    scratch_.runs.clear();
    scratch_.starts.clear();
    scratch_.quads.clear();
    for (std::int64_t x = source.next_active(z, slab_.x0); x < slab_.x1;
         x = source.next_active(z, x + 1)) {
      const std::size_t first = scratch_.runs.size();
      list_runs(source.active(z, x), slab_, scratch_.runs);
      const std::int64_t offset = ring_.row(2 * x) - ring_.row(2 * slab_.x0) - slab_.base();
      for (std::size_t i = first; i < scratch_.runs.size(); ++i) {
        scratch_.starts.push_back(static_cast<std::int32_t>(scratch_.runs[i] + offset));
      }
      scratch_.quads.push_back({x, static_cast<std::int64_t>(scratch_.runs.size())});
      if (static_cast<std::int64_t>(scratch_.runs.size()) < kBatch) continue;
      compute_quads(z, source);
      if (context.stop_requested()) return;
    }
    compute_quads(z, source);
  }

  // The same for the quads [x0, x1) of an image, from its own rows.
  void step_inside(std::int64_t z, const Inside& inside, QuadSource& source,
                   const JobContext& context) {
    const Pixels<float>& image = *source.image();
    find_planes(z, [&](std::int64_t cz) { return &image.at(cz, 0, 0); });
    scratch_.runs.clear();
    for (std::int64_t y = inside.y0; y < inside.y1; y += kBlock) {
      scratch_.runs.push_back(static_cast<std::int32_t>(y));
    }
    scratch_.starts.assign(scratch_.runs.begin(), scratch_.runs.end());
    const std::int64_t stride = slab_.grid.y;
    for (std::int64_t x = inside.x0; x < inside.x1; ++x) {
      if (context.stop_requested()) return;
      compute(z, x, (2 * x - slab_.radius.x) * stride - slab_.radius.y, stride, source, true);
    }
  }

 private:
  [[nodiscard]] std::int64_t lines() const { return size_.z + slab_.outputs_z() - 1; }

  template <class PlaneAt>
  void find_planes(std::int64_t z, const PlaneAt& plane) {
    for (std::int64_t i = 0; i < lines(); ++i) {
      const std::int64_t cz = 2 * z - slab_.radius.z + i;
      const bool inside = cz >= 0 && cz < slab_.grid.z;
      // Past n + r is what only an output needs that a grid of odd size does not have.
      const bool none =
          (!inside && boundary_ == Boundary::zero) || cz >= slab_.grid.z + slab_.radius.z;
      scratch_.planes[static_cast<std::size_t>(i)] =
          none ? nullptr : plane(reflect_index(cz, slab_.grid.z));
    }
  }

  // Computes and stores what is listed, and clears the lists.
  void compute_quads(std::int64_t z, QuadSource& source) {
    const Window window =
        window_at(ring_.row(2 * slab_.x0 - slab_.radius.x) - slab_.radius.y, slab_.stride());
    const int outputs = slab_.outputs();
    const auto count = static_cast<std::int64_t>(scratch_.runs.size());
    const RunsOfQuad* quad = scratch_.quads.data();
    for (std::int64_t i = 0; i < count; i += kBatch) {
      const std::int64_t end = std::min(i + kBatch, count);
      const float* values = scratch_.results.data();
      filter_.compute(window, scratch_.starts.data() + i, end - i, scratch_,
                      scratch_.results.data());
      for (std::int64_t k = i; k < end;) {
        const std::int64_t n = std::min(quad->end, end) - k;
        source.store(z, quad->x, scratch_.runs.data() + k, n, RunValues::packed(values, outputs));
        values += n * outputs * kBlock;
        k += n;
        if (k == quad->end) ++quad;
      }
    }
    scratch_.runs.clear();
    scratch_.starts.clear();
    scratch_.quads.clear();
  }

  [[nodiscard]] Window window_at(std::int64_t corner, std::int64_t stride) {
    for (std::int64_t i = 0; i < lines(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const float* const plane = scratch_.planes[k];
      scratch_.pointers[k] = plane != nullptr ? plane + corner : scratch_.zeros.data();
    }
    return {scratch_.pointers.data(), stride,           size_.z, size_.x, size_.y,
            slab_.outputs_z(),        slab_.outputs_x()};
  }

  // Computes the runs of a quad, whose window begins `corner` behind the start of each plane.
  void compute(std::int64_t z, std::int64_t x, std::int64_t corner, std::int64_t stride,
               QuadSource& source, bool ahead = false) {
    const Window window = window_at(corner, stride);
    const auto count = static_cast<std::int64_t>(scratch_.runs.size());
    for (std::int64_t i = 0; i < count; i += kBatch) {
      const std::int64_t n = std::min(kBatch, count - i);
      filter_.compute(window, scratch_.starts.data() + i, n, scratch_, scratch_.results.data());
      source.store(z, x, scratch_.runs.data() + i, n,
                   RunValues::packed(scratch_.results.data(), slab_.outputs()));
      if (!ahead) continue;
      for (std::int64_t l = std::max<std::int64_t>(lines() - 2, 0); l < lines(); ++l) {
        const float* const row =
            scratch_.pointers[static_cast<std::size_t>(l)] + (size_.x + 1) * stride;
        for (std::int64_t k = 0; k < n; ++k) {
          const std::int32_t at = scratch_.starts[static_cast<std::size_t>(i + k)] + slab_.radius.y;
          _mm_prefetch(reinterpret_cast<const char*>(row + at), _MM_HINT_T1);
          _mm_prefetch(reinterpret_cast<const char*>(row + stride + at), _MM_HINT_T1);
        }
      }
    }
  }

  const WindowFilter& filter_;
  const Size3& size_;
  Slab slab_;
  Boundary boundary_;
  SweepScratch& scratch_;
  RowRing ring_;
  std::int64_t filled_;
};

}  // namespace

void WindowFilter::shape(Slab& slab) const {
  // Rows of an image of a power of two map to the same few lines of the caches; where a window
  // takes more of them than a cache keeps, they are copied to where they do not.
  if (slab.grid.y % 256 == 0 && size_.z * size_.x > 25) slab.image = false;
  // Planes that stay in the second-level cache, and enough of them to pay for the halo.
  constexpr std::int64_t kBytes = 640 * 1024;
  slab.z1 = std::clamp<std::int64_t>(12 * slab.halo_z(), 32, 64);
  for (slab.x1 = slab.image ? 32 : 16; slab.x1 > 4; slab.x1 /= 2) {
    // An image is read in place: its size in the cache is that of the rows that windows read.
    const std::int64_t values = slab.image
                                    ? (size_.z + slab.outputs_z() - 1) *
                                          (2 * slab.x1 + size_.x - 1) * (slab.b1 - slab.b0) * kBlock
                                    : RowRing::values(slab);
    if (values * static_cast<std::int64_t>(sizeof(float)) <= kBytes) break;
  }
}

void WindowFilter::reserve(const Slab& largest, SweepScratch& scratch) const {
  const auto grow = [](auto& v, std::int64_t n) {
    if (v.size() < static_cast<std::size_t>(n)) v.resize(static_cast<std::size_t>(n));
  };
  std::int64_t rows = RowRing::values(largest);
  std::int64_t zeros = RowRing::area(largest) + largest.stride();
  if (largest.image) {
    Slab wide = largest;  // strips at the ends of x, and of y
    wide.x1 = wide.x0 + wide.halo_x() + 1;
    Slab narrow = largest;
    narrow.b1 = narrow.b0 + narrow.halo_blocks() + 2;
    rows = std::max(rows, 2 * (RowRing::values(wide) + RowRing::values(narrow)));
    zeros = std::max(zeros, RowRing::area(wide) + wide.stride());
    zeros = std::max(zeros, (size_.x + 2) * largest.grid.y + 2 * kBlock);
  }
  grow(scratch.rows, rows);
  grow(scratch.zeros, zeros);
  grow(scratch.results, kBatch * 4 * kBlock);
  grow(scratch.planes, size_.z + 1);
  grow(scratch.pointers, size_.z + 1);
  grow(scratch.part, size_.z + 1);
  scratch.runs.reserve(128);
  scratch.starts.reserve(128);
  scratch.quads.reserve(64);
}

void WindowFilter::run(const Slab& slab, QuadSource& source, Boundary boundary,
                       SweepScratch& scratch, const JobContext& context) const {
  float* const rows = scratch.rows.data();
  if (!slab.image) {
    WindowWalk walk(*this, size_, slab, boundary, scratch, rows);
    for (std::int64_t z = slab.z0; z < slab.z1; ++z) {
      if (context.stop_requested()) return;
      walk.step(z, source, context);
    }
    return;
  }
  // Strips, which read a little ahead, follow one step behind: rows are in the cache by then.
  const Inside inside(slab, source.result_rows());
  WindowWalk middle(*this, size_, slab, boundary, scratch, nullptr);
  std::array<std::optional<WindowWalk>, 4> strips;
  std::int64_t used = 0;
  for (std::size_t i = 0; i < inside.strip_count; ++i) {
    strips[i].emplace(*this, size_, inside.strips[i], boundary, scratch, rows + used);
    used += RowRing::values(inside.strips[i]);
  }
  for (std::int64_t z = slab.z0; z <= slab.z1; ++z) {
    if (context.stop_requested()) return;
    if (z < slab.z1 && inside.x0 < inside.x1) {
      source.open(slab);
      middle.step_inside(z, inside, source, context);
    }
    for (std::size_t i = 0; i < inside.strip_count && z > slab.z0; ++i) {
      source.open(inside.strips[i]);
      strips[i]->step(z - 1, source, context);
    }
  }
}

}  // namespace aprscope::detail
