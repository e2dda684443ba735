#include "core/topology/pixel_strata.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>

#include "core/base/parallel.hpp"
#include "core/topology/all_strata.hpp"
#include "core/topology/strata_kernels.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kAir = 64;  // around rows, so that they begin where vectors do

// Three slices of places with what is outside round them: places that enter last of all.
template <class Place>
class Ring {
 public:
  Ring(const Size3& size, const PlaceRows<Place>& rows)
      : size_(size),
        rows_(rows),
        stride_((size.y + 2 * kAir) / kAir * kAir),
        values_(static_cast<std::size_t>(3 * (size.x + 2) * stride_), kOutside) {}

  void load(std::int64_t z) {
    const bool outside = z < 0 || z >= size_.z;
    for (std::int64_t x = 0; x < size_.x; ++x) {
      Place* to = at(z, x);
      if (outside) {
        std::fill(to, to + size_.y, kOutside);
      } else {
        rows_(z, x, {to, static_cast<std::size_t>(size_.y)});
      }
    }
  }
  Place* at(std::int64_t z, std::int64_t x) {
    const std::int64_t slice = (z + 3) % 3;
    return values_.data() + (slice * (size_.x + 2) + x + 1) * stride_ + kAir / 2;
  }

 private:
  static constexpr Place kOutside = std::numeric_limits<Place>::max();
  Size3 size_;
  const PlaceRows<Place>& rows_;
  std::int64_t stride_;
  std::vector<Place> values_;
};

// What a thread has counted: strata beyond those of flat neighbourhoods, and voxels.
class Tally {
 public:
  explicit Tally(int levels) : beyond_(static_cast<std::size_t>(levels)) {}

  template <class Place>
  void add(const Place* places, const StrataRow<Place>& row) {
    std::int64_t y = 0;
    while (y < row.count) {
      // Where all is flat only voxels count.
      std::uint64_t eight = 1;
      if (y + 8 <= row.count) std::memcpy(&eight, row.uneven + y, sizeof(eight));
      const std::int64_t end = std::min<std::int64_t>(y + 8, row.count);
      for (; y < end; ++y) {
        auto& sums = beyond_[places[y]];
        ++sums[7];
        if (eight == 0) continue;
        for (std::size_t s = 0; s < 7; ++s) sums[s] += static_cast<int>(row.owned[s][y]) - 1;
      }
    }
  }
  void add_to(std::vector<StrataCounts::OfLevel>& levels) {
    for (std::size_t i = 0; i < levels.size(); ++i) {
      for (std::size_t s = 0; s < 8; ++s) levels[i][s] += beyond_[i][s];
      beyond_[i] = {};
    }
  }

 private:
  // 2²⁷ voxels at most between two calls of add_to(), of which each adds at most 7.
  std::vector<std::array<std::int32_t, 8>> beyond_;
};

void kernel(const StrataRow<std::uint8_t>& row, Construction construction) {
  const StrataKernels& kernels = strata_kernels();
  (construction == Construction::closed_voxels ? kernels.closed_8 : kernels.vertices_8)(row);
}
void kernel(const StrataRow<std::uint16_t>& row, Construction construction) {
  const StrataKernels& kernels = strata_kernels();
  (construction == Construction::closed_voxels ? kernels.closed_16 : kernels.vertices_16)(row);
}

template <class Place>
class Counter {
 public:
  Counter(const Size3& size, int levels, const PlaceRows<Place>& rows, Construction construction)
      : size_(size),
        construction_(construction),
        ring_(size, rows),
        tally_(levels),
        sums_(static_cast<std::size_t>(levels)),
        lanes_(static_cast<std::size_t>(8 * (size.y + kAir))) {}

  void count(std::int64_t first, std::int64_t end) {
    constexpr std::int64_t kMost = std::int64_t{1} << 27;
    ring_.load(first - 1);
    ring_.load(first);
    for (std::int64_t z = first; z < end; ++z) {
      ring_.load(z + 1);
      for (std::int64_t x = 0; x < size_.x; ++x) {
        count_row(z, x);
        since_ += size_.y;
        if (since_ >= kMost) flush();
      }
    }
  }
  [[nodiscard]] const std::vector<StrataCounts::OfLevel>& sums() {
    flush();
    return sums_;
  }

 private:
  void count_row(std::int64_t z, std::int64_t x) {
    StrataRow<Place> row;
    for (std::int64_t dz = 0; dz < 3; ++dz) {
      for (std::int64_t dx = 0; dx < 3; ++dx) row.rows[dz][dx] = ring_.at(z + dz - 1, x + dx - 1);
    }
    row.count = size_.y;
    const std::int64_t lane = size_.y + kAir;
    for (std::int64_t s = 0; s < 7; ++s) row.owned[s] = lanes_.data() + s * lane;
    row.uneven = lanes_.data() + 7 * lane;
    kernel(row, construction_);
    tally_.add(row.rows[1][1], row);
  }
  void flush() {
    tally_.add_to(sums_);
    since_ = 0;
  }

  Size3 size_;
  Construction construction_;
  Ring<Place> ring_;
  Tally tally_;
  std::vector<StrataCounts::OfLevel> sums_;
  std::vector<std::uint8_t> lanes_;
  std::int64_t since_ = 0;
};

}  // namespace

template <class Place>
Result<StrataCounts> count_strata(const Size3& size, int levels, const PlaceRows<Place>& rows,
                                  Construction construction, const JobContext& context) {
  // Slices that a thread counts in one go: the two beside them are read once more.
  const std::int64_t share = std::clamp<std::int64_t>(size.z / (4 * thread_count()), 1, 32);
  const std::int64_t slabs = (size.z + share - 1) / share;
  const auto threads = static_cast<int>(std::clamp<std::int64_t>(slabs, 1, thread_count()));
  std::vector<std::unique_ptr<Counter<Place>>> counters(static_cast<std::size_t>(threads));
  std::atomic<std::int64_t> done{0};
  parallel_each(slabs, threads, [&](std::int64_t slab, int thread) {
    if (context.stop_requested()) return;
    auto& counter = counters[static_cast<std::size_t>(thread)];
    if (!counter) counter = std::make_unique<Counter<Place>>(size, levels, rows, construction);
    counter->count(slab * share, std::min(size.z, (slab + 1) * share));
    context.report(static_cast<double>(++done) / static_cast<double>(slabs), "strata");
  });
  if (context.stop_requested()) return cancelled_error();
  StrataCounts out;
  out.levels.resize(static_cast<std::size_t>(levels));
  for (const auto& counter : counters) {
    if (!counter) continue;
    const auto& sums = counter->sums();
    for (std::size_t i = 0; i < sums.size(); ++i) {
      for (std::size_t s = 0; s < 8; ++s) out.levels[i][s] += sums[i][s];
    }
  }
  // A voxel of a flat neighbourhood owns one of each.
  for (auto& level : out.levels) {
    for (std::size_t s = 0; s < 7; ++s) level[s] += level[7];
  }
  if (levels == std::numeric_limits<Place>::max() + 1) {
    // What is outside has the last place, so that comparisons cannot tell the two apart.
    auto rest = all_strata(size, construction);
    for (std::size_t i = 0; i + 1 < out.levels.size(); ++i) {
      for (std::size_t s = 0; s < 8; ++s) rest[s] -= out.levels[i][s];
    }
    out.levels.back() = rest;
  }
  return out;
}

template Result<StrataCounts> count_strata(const Size3&, int, const PlaceRows<std::uint8_t>&,
                                           Construction, const JobContext&);
template Result<StrataCounts> count_strata(const Size3&, int, const PlaceRows<std::uint16_t>&,
                                           Construction, const JobContext&);

}  // namespace aprscope
