#include "core/filter/image_passes.hpp"

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
      rows_(std::min(2 * slab.x1, slab.grid.x) - 2 * slab.x0) {
  const std::int64_t begin = std::max(slab.b0, slab.wanted.begin.y / kBlock) * kBlock;
  const std::int64_t end = std::min(slab.b1 * kBlock, slab.wanted.end.y);
  scratch.runs.clear();
  scratch.starts.clear();
  scratch.blocks.clear();
  for (std::int64_t y = begin; y < end; y += kBlock) {
    scratch.runs.push_back(static_cast<std::int32_t>(y));
    scratch.starts.push_back(static_cast<std::int32_t>(y - slab.base()));
  }
  // Blocks that the results depend on along y. The last one is moved to end with the row, since
  // there may be no pixels behind the row.
  const std::int64_t first = std::max<std::int64_t>(0, begin - slab.radius.y) / kBlock * kBlock;
  const std::int64_t last = std::min(slab.grid.y, end + slab.radius.y);
  for (std::int64_t y = first; y < last; y += kBlock) {
    const std::int64_t start = std::min(y, slab.grid.y - kBlock);
    scratch.blocks.push_back(static_cast<std::int32_t>(start - slab.base()));
  }
}

std::int64_t ImagePasses::planes(const Slab& slab) {
  return std::min(slab.grid.z, 2 * slab.radius.z + 2);
}

std::int64_t ImagePasses::plane_values(const Slab& slab) {
  return PassFilter::padded(2 * (slab.x1 - slab.x0) * slab.stride());
}

void ImagePasses::shape(Slab& slab) {
  // A ring about as large as the second-level cache: rows that are read for two slabs cost more
  // than what does not stay in it. Rows as long as they are, which are read in one go.
  constexpr std::int64_t kBytes = 1400 * 1024;
  slab.z1 = 128;
  for (slab.x1 = 32; slab.x1 > 8; slab.x1 -= 8) {
    const std::int64_t values = planes(slab) * plane_values(slab);
    if (values * static_cast<std::int64_t>(sizeof(float)) <= kBytes) break;
  }
}

void ImagePasses::reserve(const Slab& largest, const Size3& size, SweepScratch& scratch) {
  const auto grow = [](auto& v, std::int64_t n) {
    if (v.size() < static_cast<std::size_t>(n)) v.resize(static_cast<std::size_t>(n));
  };
  grow(scratch.passed, planes(largest) * plane_values(largest));
  grow(scratch.more, 4 * largest.stride());
  grow(scratch.zeros, largest.stride());
  grow(scratch.pointers, std::max({size.z, size.x, size.y}) + 1);
  scratch.runs.reserve(64);
  scratch.starts.reserve(64);
  scratch.blocks.reserve(static_cast<std::size_t>(largest.stride() / kBlock));
}

// Makes one pass over runs of the rows in scratch_.pointers.
void ImagePasses::pass(Axis axis, const std::vector<std::int32_t>& starts, float* out,
                       float* next) {
  filter_.pass(axis, scratch_.pointers.data(), starts.data(),
               static_cast<std::int64_t>(starts.size()), out, next);
}

// Passes plane z along x.
void ImagePasses::take_in(std::int64_t z) {
  for (std::int64_t x = 2 * slab_.x0; x < 2 * slab_.x0 + rows_; x += 2) {
    const bool both = x + 1 < slab_.grid.x;
    for (std::int64_t k = 0; k < size_.x + (both ? 1 : 0); ++k) {
      const std::int64_t from = x + k - slab_.radius.x;
      scratch_.pointers[static_cast<std::size_t>(k)] =
          outside(from, slab_.grid.x)
              ? scratch_.zeros.data()
              : &image_.at(z, reflect_index(from, slab_.grid.x), 0) + slab_.base();
    }
    pass(Axis::x, scratch_.blocks, crossed_row(z, x), both ? crossed_row(z, x + 1) : nullptr);
  }
}

// Passes the ring along z, then y, and stores planes 2z and 2z + 1 of the result.
void ImagePasses::finish(std::int64_t z) {
  const bool both = 2 * z + 1 < slab_.grid.z;
  const std::int64_t stride = slab_.stride();
  float* const crossed = scratch_.more.data();
  float* const result = crossed + 2 * stride;
  const std::int64_t begin = scratch_.runs.front();
  const std::int64_t end = scratch_.runs.back() + kBlock;
  for (std::int64_t x = 2 * slab_.x0; x < 2 * slab_.x0 + rows_; ++x) {
    for (std::int64_t k = 0; k < size_.z + (both ? 1 : 0); ++k) {
      const std::int64_t from = 2 * z + k - slab_.radius.z;
      scratch_.pointers[static_cast<std::size_t>(k)] =
          outside(from, slab_.grid.z) ? scratch_.zeros.data()
                                      : crossed_row(reflect_index(from, slab_.grid.z), x);
    }
    pass(Axis::z, scratch_.blocks, crossed, both ? crossed + stride : nullptr);
    for (std::int64_t p = 0; p < (both ? 2 : 1); ++p) {
      float* const row = crossed + p * stride;
      extend_rows(slab_, boundary_, {&row, 1});
      for (std::int64_t k = 0; k < size_.y; ++k) {
        scratch_.pointers[static_cast<std::size_t>(k)] = row + k - slab_.radius.y;
      }
      pass(Axis::y, scratch_.starts, result + p * stride, nullptr);
      source_.store_row(2 * z + p, x, begin, end, result + p * stride + begin - slab_.base());
    }
  }
}

void ImagePasses::run(const JobContext& context) {
  if (scratch_.runs.empty()) return;
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
