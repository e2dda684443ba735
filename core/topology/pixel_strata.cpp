#include "core/topology/pixel_strata.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>

#include "core/base/aligned_vector.hpp"
#include "core/base/parallel.hpp"
#include "core/topology/grid_parts.hpp"
#include "core/topology/strata_kernels.hpp"
#include "core/topology/strata_tally.hpp"

namespace aprscope {
namespace {

// Three slices of places of a band with what is outside round them: places that enter last of all.
template <class Place>
class Ring {
 public:
  Ring(const Size3& size, std::int64_t most_rows, const PlaceRows<Place>& rows)
      : size_(size),
        rows_(rows),
        band_(most_rows + 2),
        stride_(strata_stride(size.y)),
        values_(static_cast<std::size_t>(3 * band_ * stride_ + kStrataAir), kOutside) {}

  void open(const GridPart& part) { part_ = part; }
  void load(std::int64_t z) {
    for (std::int64_t x = part_.x0 - 1; x <= part_.x1; ++x) {
      Place* to = at(z, x);
      if (z < 0 || z >= size_.z || x < 0 || x >= size_.x) {
        std::fill(to, to + size_.y, kOutside);
      } else {
        rows_(z, x, {to, static_cast<std::size_t>(size_.y)});
      }
    }
  }
  Place* at(std::int64_t z, std::int64_t x) {
    const std::int64_t slice = (z + 3) % 3;
    return values_.data() + (slice * band_ + x - part_.x0 + 1) * stride_ + kStrataAir;
  }

 private:
  static constexpr Place kOutside = std::numeric_limits<Place>::max();
  Size3 size_;
  const PlaceRows<Place>& rows_;
  std::int64_t band_;
  std::int64_t stride_;
  GridPart part_;
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
  Counter(const Size3& size, std::int64_t most_rows, int levels, const PlaceRows<Place>& rows,
          Construction construction)
      : size_(size),
        kernel_(construction == Construction::closed_voxels
                    ? strata_kernels<Place>().closed_pixels
                    : strata_kernels<Place>().vertex_pixels),
        ring_(size, most_rows, rows),
        tally_(levels),
        words_(static_cast<std::size_t>(blocks() * kStrataBlock)),
        uniform_(static_cast<std::size_t>(blocks())) {}

  void count(const GridPart& part) {
    ring_.open(part);
    ring_.load(part.z0 - 1);
    ring_.load(part.z0);
    for (std::int64_t z = part.z0; z < part.z1; ++z) {
      ring_.load(z + 1);
      for (std::int64_t x = part.x0; x < part.x1; ++x) count_row(z, x);
    }
  }
  void add_to(StrataCounts& counts) { tally_.add_to(counts); }

 private:
  [[nodiscard]] std::int64_t blocks() const { return strata_blocks(size_.y); }

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
  const GridParts cuts(size, sizeof(Place));
  const std::int64_t parts = cuts.count();
  const auto threads = static_cast<int>(std::clamp<std::int64_t>(parts, 1, thread_count()));
  std::vector<std::unique_ptr<Counter<Place>>> counters(static_cast<std::size_t>(threads));
  std::atomic<std::int64_t> done{0};
  parallel_each(parts, threads, [&](std::int64_t part, int thread) {
    if (context.stop_requested()) return;
    auto& counter = counters[static_cast<std::size_t>(thread)];
    if (!counter) {
      counter =
          std::make_unique<Counter<Place>>(size, cuts.most_rows(), levels, rows, construction);
    }
    counter->count(cuts.part(part));
    context.report(static_cast<double>(++done) / static_cast<double>(parts), "strata");
  });
  if (context.stop_requested()) return cancelled_error();
  StrataCounts out;
  for (const auto& counter : counters) {
    if (counter) counter->add_to(out);
  }
  out.levels.resize(static_cast<std::size_t>(levels));
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
