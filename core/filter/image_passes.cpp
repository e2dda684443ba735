#include "core/filter/image_passes.hpp"

#include <cstring>

namespace aprscope::detail {

ImagePasses::ImagePasses(const PassFilter& filter, const Size3& size, const Slab& slab,
                         QuadSource& source, Boundary boundary, SweepScratch& scratch)
    : filter_(filter),
      size_(size),
      slab_(slab),
      image_(*source.image()),
      source_(source),
      boundary_(boundary),
      scratch_(scratch),
      planes_(planes(slab)),
      rows_(std::min(2 * slab.x1, slab.grid.x) - 2 * slab.x0),
      first_(std::max<std::int64_t>(0, 2 * slab.x0 - slab.radius.x)),
      last_(std::min(slab.grid.x, 2 * slab.x1 + slab.radius.x)) {
  const std::int64_t begin = std::max(slab.b0, slab.wanted.begin.y / kBlock) * kBlock;
  const std::int64_t end = std::min(slab.b1 * kBlock, slab.wanted.end.y);
  scratch.runs.clear();
  scratch.starts.clear();
  for (std::int64_t y = begin; y < end; y += kBlock) {
    scratch.runs.push_back(static_cast<std::int32_t>(y));
    scratch.starts.push_back(static_cast<std::int32_t>(y - slab.base()));
    if (y < slab.radius.y) ++inner_begin_;
    if (y + kBlock + slab.radius.y <= slab.grid.y) ++inner_end_;
  }
  runs_ = static_cast<std::int64_t>(scratch.runs.size());
  inner_begin_ = std::min(inner_begin_, inner_end_);
}

std::int64_t ImagePasses::planes(const Slab& slab) {
  return std::min(slab.grid.z, 2 * slab.radius.z + 2);
}

void ImagePasses::shape(Slab& slab) {
  // A ring about as large as the second-level cache: rows that are passed along y for two slabs
  // cost more than what does not stay in it. Rows as long as they are, which are read in one go.
  constexpr std::int64_t kBytes = 1400 * 1024;
  slab.z1 = 128;
  for (slab.x1 = 32; slab.x1 > 8; slab.x1 -= 8) {
    const std::int64_t values = planes(slab) * 2 * slab.x1 * slab.stride();
    if (values * static_cast<std::int64_t>(sizeof(float)) <= kBytes) break;
  }
}

void ImagePasses::reserve(const Slab& largest, const Size3& size, SweepScratch& scratch) {
  const auto grow = [](auto& v, std::int64_t n) {
    if (v.size() < static_cast<std::size_t>(n)) v.resize(static_cast<std::size_t>(n));
  };
  const std::int64_t rows = 2 * (largest.x1 - largest.x0);
  grow(scratch.rows, (1 + rows + 2 * largest.radius.x) * largest.stride());
  grow(scratch.passed, planes(largest) * rows * largest.stride());
  grow(scratch.more, 2 * largest.stride());
  grow(scratch.zeros, largest.stride());
  grow(scratch.pointers, std::max({size.z, size.x, size.y}) + 1);
  scratch.runs.reserve(64);
  scratch.starts.reserve(64);
}

// One pass over the runs [begin, end) of the rows in scratch_.pointers.
void ImagePasses::pass(Axis axis, std::int64_t begin, std::int64_t end, float* out, float* next) {
  if (begin >= end) return;
  filter_.pass(axis, scratch_.pointers.data(), scratch_.starts.data() + begin, end - begin, out,
               next);
}

// Passes row (z, x) along y.
void ImagePasses::pass_row(std::int64_t z, std::int64_t x) {
  const float* const pixels = &image_.at(z, x, 0);
  float* const to = along_row(x);
  const auto point_to = [&](const float* row) {
    for (std::int64_t k = 0; k < size_.y; ++k) {
      scratch_.pointers[static_cast<std::size_t>(k)] = row + k - slab_.radius.y;
    }
  };
  point_to(pixels + slab_.base());
  pass(Axis::y, inner_begin_, inner_end_, to, nullptr);
  if (inner_begin_ == 0 && inner_end_ == runs_) return;
  // The runs at its ends, from a copy that is continued beyond them.
  float* const copy = scratch_.rows.data();
  const std::int64_t base = slab_.base();
  const auto copy_for = [&](std::int64_t first_run, std::int64_t last_run) {
    if (first_run >= last_run) return;
    const std::int64_t begin = scratch_.runs[static_cast<std::size_t>(first_run)];
    const std::int64_t end = scratch_.runs[static_cast<std::size_t>(last_run - 1)] + kBlock;
    // What is reflected lies no farther from the end than the radius.
    const std::int64_t from = std::max<std::int64_t>(0, begin - slab_.radius.y);
    const std::int64_t till = std::min(slab_.grid.y, end + slab_.radius.y);
    std::memcpy(copy + from - base, pixels + from,
                static_cast<std::size_t>(till - from) * sizeof(float));
  };
  copy_for(0, inner_begin_);
  copy_for(inner_end_, runs_);
  extend_row(slab_, boundary_, copy);
  point_to(copy);
  pass(Axis::y, 0, inner_begin_, to, nullptr);
  pass(Axis::y, inner_end_, runs_, to, nullptr);
}

// Passes plane z along y and x.
void ImagePasses::take_in(std::int64_t z) {
  std::int64_t passed = first_;
  for (std::int64_t x = 2 * slab_.x0; x < 2 * slab_.x0 + rows_; x += 2) {
    const bool both = x + 1 < slab_.grid.x;
    for (; passed < std::min(last_, x + 2 + slab_.radius.x); ++passed) pass_row(z, passed);
    for (std::int64_t k = 0; k < size_.x + (both ? 1 : 0); ++k) {
      const std::int64_t from = x + k - slab_.radius.x;
      scratch_.pointers[static_cast<std::size_t>(k)] =
          outside(from, slab_.grid.x) ? scratch_.zeros.data()
                                      : along_row(reflect_index(from, slab_.grid.x));
    }
    pass(Axis::x, 0, runs_, crossed_row(z, x), both ? crossed_row(z, x + 1) : nullptr);
  }
}

// Passes the ring along z and stores planes 2z and 2z + 1 of the result.
void ImagePasses::finish(std::int64_t z) {
  const bool both = 2 * z + 1 < slab_.grid.z;
  float* const row = scratch_.more.data();
  const std::int64_t begin = scratch_.runs.front();
  const std::int64_t end = scratch_.runs.back() + kBlock;
  for (std::int64_t x = 2 * slab_.x0; x < 2 * slab_.x0 + rows_; ++x) {
    for (std::int64_t k = 0; k < size_.z + (both ? 1 : 0); ++k) {
      const std::int64_t from = 2 * z + k - slab_.radius.z;
      scratch_.pointers[static_cast<std::size_t>(k)] =
          outside(from, slab_.grid.z) ? scratch_.zeros.data()
                                      : crossed_row(reflect_index(from, slab_.grid.z), x);
    }
    pass(Axis::z, 0, runs_, row, both ? row + slab_.stride() : nullptr);
    for (std::int64_t p = 0; p < (both ? 2 : 1); ++p) {
      source_.store_row(2 * z + p, x, begin, end, row + p * slab_.stride() + begin - slab_.base());
    }
  }
}

void ImagePasses::run(const JobContext& context) {
  if (runs_ == 0) return;
  std::int64_t taken = std::max<std::int64_t>(0, 2 * slab_.z0 - slab_.radius.z);
  for (std::int64_t z = slab_.z0; z < slab_.z1; ++z) {
    for (; taken < std::min(slab_.grid.z, 2 * z + 2 + slab_.radius.z); ++taken) {
      if (context.stop_requested()) return;
      take_in(taken);
    }
    if (context.stop_requested()) return;
    finish(z);
  }
}

}  // namespace aprscope::detail
