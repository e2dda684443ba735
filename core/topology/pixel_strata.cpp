#include "core/topology/pixel_strata.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>

#include "core/base/aligned_vector.hpp"
#include "core/base/parallel.hpp"
#include "core/topology/strata_kernels.hpp"
#include "core/topology/strata_tally.hpp"

namespace aprscope {
namespace {

constexpr std::int64_t kAir = 64;  // between rows, so that they begin where vectors do

// Three slices of places with what is outside round them: places that enter last of all.
template <class Place>
class Ring {
 public:
  Ring(const Size3& size, const PlaceRows<Place>& rows)
      : size_(size),
        rows_(rows),
        stride_((size.y + kStrataBlock - 1) / kStrataBlock * kStrataBlock + kAir),
        values_(static_cast<std::size_t>(3 * (size.x + 2) * stride_ + kAir), kOutside) {}

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
    return values_.data() + (slice * (size_.x + 2) + x + 1) * stride_ + kAir;
  }

 private:
  static constexpr Place kOutside = std::numeric_limits<Place>::max();
  Size3 size_;
  const PlaceRows<Place>& rows_;
  std::int64_t stride_;
  AlignedVector<Place> values_;
};

// The image has so many strata of each kind in all: what is missing entered with the level whose
// place is also that of the outside, where comparisons cannot tell the two apart.
StrataCounts::OfLevel all_strata(const Size3& size, Construction construction) {
  StrataCounts::OfLevel all{};
  const int open = construction == Construction::closed_voxels ? 1 : -1;
  for (std::size_t s = 0; s < 8; ++s) {
    const std::int64_t z = size.z + ((s & 4U) != 0 ? 0 : open);
    const std::int64_t x = size.x + ((s & 2U) != 0 ? 0 : open);
    const std::int64_t y = size.y + ((s & 1U) != 0 ? 0 : open);
    all[s] = z * x * y;
  }
  return all;
}

template <class Place>
class Counter {
 public:
  Counter(const Size3& size, int levels, const PlaceRows<Place>& rows, Construction construction)
      : size_(size),
        kernel_(construction == Construction::closed_voxels
                    ? strata_kernels<Place>().closed_pixels
                    : strata_kernels<Place>().vertex_pixels),
        ring_(size, rows),
        tally_(levels),
        words_(static_cast<std::size_t>(blocks() * kStrataBlock)),
        uniform_(static_cast<std::size_t>(blocks())) {}

  void count(std::int64_t first, std::int64_t end) {
    ring_.load(first - 1);
    ring_.load(first);
    for (std::int64_t z = first; z < end; ++z) {
      ring_.load(z + 1);
      for (std::int64_t x = 0; x < size_.x; ++x) count_row(z, x);
    }
  }
  [[nodiscard]] const std::vector<StrataCounts::OfLevel>& strata() { return tally_.strata(); }

 private:
  [[nodiscard]] std::int64_t blocks() const { return (size_.y + kStrataBlock - 1) / kStrataBlock; }

  void count_row(std::int64_t z, std::int64_t x) {
    PixelStrataRow<Place> row;
    for (std::int64_t dz = 0; dz < 3; ++dz) {
      for (std::int64_t dx = 0; dx < 3; ++dx) row.rows[dz][dx] = ring_.at(z + dz - 1, x + dx - 1);
    }
    row.count = size_.y;
    row.words = words_.data();
    row.uniform = uniform_.data();
    kernel_(row);
    const Place* const places = row.rows[1][1];
    for (std::int64_t block = 0; block < blocks(); ++block) {
      const std::int64_t y = block * kStrataBlock;
      const std::int64_t count = std::min(kStrataBlock, size_.y - y);
      if (uniform_[static_cast<std::size_t>(block)] != 0) {
        tally_.add_flat(places[y], count);
      } else {
        tally_.add(places + y, row.words + y, count);
      }
    }
  }

  Size3 size_;
  void (*kernel_)(const PixelStrataRow<Place>&);
  Ring<Place> ring_;
  StrataTally tally_;
  AlignedVector<std::uint64_t> words_;
  std::vector<std::uint8_t> uniform_;
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
    const auto& sums = counter->strata();
    for (std::size_t i = 0; i < sums.size(); ++i) {
      for (std::size_t s = 0; s < 8; ++s) out.levels[i][s] += sums[i][s];
    }
  }
  if (levels == std::numeric_limits<Place>::max() + 1) {
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
