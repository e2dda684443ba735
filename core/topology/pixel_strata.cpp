#include "core/topology/pixel_strata.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "core/base/aligned_vector.hpp"
#include "core/base/parallel.hpp"
#include "core/topology/all_strata.hpp"
#include "core/topology/grid_parts.hpp"
#include "core/topology/strata_kernels.hpp"
#include "core/topology/strata_tally.hpp"

namespace aprscope {
namespace {

// Three slices of a band as the kernels take them, with codes for the outside round them. Closed
// voxels: codes are places, and the outside enters last. Vertices, whose strata enter with the last
// voxel: codes are reversed places, from 1 on, and the outside is 0.
template <class Place, class Code>
class Ring {
 public:
  Ring(const Size3& size, std::int64_t most_rows, int levels, const PlaceRows<Place>& rows,
       Construction construction)
      : size_(size),
        rows_(rows),
        levels_(levels),
        closed_(construction == Construction::closed_voxels),
        outside_(closed_ ? std::numeric_limits<Code>::max() : Code{0}),
        band_(most_rows + 2),
        stride_(strata_stride(size.y)),
        codes_(static_cast<std::size_t>(3 * band_ * stride_ + kStrataAir), outside_),
        places_(closed_ ? 0 : static_cast<std::size_t>(size.y)) {}

  void open(const GridPart& part) { part_ = part; }
  void load(std::int64_t z) {
    for (std::int64_t x = part_.x0 - 1; x <= part_.x1; ++x) {
      if (z < 0 || z >= size_.z || x < 0 || x >= size_.x) {
        std::fill(at(z, x), at(z, x) + size_.y, outside_);
      } else {
        load(z, x, {at(z, x), static_cast<std::size_t>(size_.y)});
      }
    }
  }
  Code* at(std::int64_t z, std::int64_t x) {
    const std::int64_t slice = (z + 3) % 3;
    return codes_.data() + (slice * band_ + x - part_.x0 + 1) * stride_ + kStrataAir;
  }

 private:
  void load(std::int64_t z, std::int64_t x, std::span<Code> row) {
    if constexpr (std::is_same_v<Code, Place>) {
      if (closed_) {
        rows_(z, x, row);
        return;
      }
    }
    rows_(z, x, places_);
    const auto first = static_cast<Code>(levels_);
    for (std::size_t y = 0; y < row.size(); ++y) row[y] = static_cast<Code>(first - places_[y]);
  }

  Size3 size_;
  const PlaceRows<Place>& rows_;
  int levels_;
  bool closed_;
  Code outside_;
  std::int64_t band_;
  std::int64_t stride_;
  GridPart part_;
  AlignedVector<Code> codes_;
  std::vector<Place> places_;
};

template <class Place, class Code>
class PixelCounter {
 public:
  PixelCounter(const Size3& size, std::int64_t most_rows, int levels, const PlaceRows<Place>& rows,
               Construction construction, SharedStrata& shared)
      : size_(size),
        kernel_(strata_kernels<Code>().pixels),
        first_(construction == Construction::closed_voxels ? 0 : 1),
        ring_(size, most_rows, levels, rows, construction),
        tally_(levels + first_, shared),
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
  void add_to(StrataCounts& counts) { tally_.add_to(counts, first_); }

 private:
  [[nodiscard]] std::int64_t blocks() const { return strata_blocks(size_.y); }

  void count_row(std::int64_t z, std::int64_t x) {
    PixelStrataRow<Code> row;
    for (std::int64_t dz = 0; dz < 3; ++dz) {
      for (std::int64_t dx = 0; dx < 3; ++dx) row.rows[dz][dx] = ring_.at(z + dz - 1, x + dx - 1);
    }
    row.count = size_.y;
    row.words = words_.data();
    row.uniform = uniform_.data();
    kernel_(row);
    for (std::int64_t block = 0; block < blocks(); ++block) {
      const std::int64_t y = block * kStrataBlock;
      const Code* const codes = row.rows[1][1] + y;
      const std::int64_t count = std::min(kStrataBlock, size_.y - y);
      if (uniform_[static_cast<std::size_t>(block)] != 0) {
        tally_.add_flat(codes[0], count);
      } else {
        tally_.add(codes, row.words + y, count);
      }
    }
  }

  Size3 size_;
  void (*kernel_)(const PixelStrataRow<Code>&);
  // The least code of a level.
  int first_;
  Ring<Place, Code> ring_;
  StrataTally tally_;
  AlignedVector<std::uint64_t> words_;
  std::vector<std::uint8_t> uniform_;
};

template <class Place, class Code>
Result<StrataCounts> count(const Size3& size, const SliceRange& slices, int levels,
                           const PlaceRows<Place>& rows, Construction construction,
                           const JobContext& context) {
  using Its = PixelCounter<Place, Code>;
  const GridParts cuts({slices.end - slices.begin, size.x, size.y}, sizeof(Code));
  const std::int64_t parts = cuts.count();
  const auto threads = static_cast<int>(std::clamp<std::int64_t>(parts, 1, thread_count()));
  const int first = construction == Construction::closed_voxels ? 0 : 1;
  SharedStrata shared(levels + first);
  std::vector<std::unique_ptr<Its>> counters(static_cast<std::size_t>(threads));
  std::atomic<std::int64_t> done{0};
  parallel_each(parts, threads, [&](std::int64_t part, int thread) {
    if (context.stop_requested()) return;
    auto& counter = counters[static_cast<std::size_t>(thread)];
    if (!counter) {
      counter = std::make_unique<Its>(size, cuts.most_rows(), levels, rows, construction, shared);
    }
    GridPart now = cuts.part(part);
    now.z0 += slices.begin;
    now.z1 += slices.begin;
    counter->count(now);
    context.report(static_cast<double>(++done) / static_cast<double>(parts), "strata");
  });
  if (context.stop_requested()) return cancelled_error();
  StrataCounts out;
  for (const auto& counter : counters) {
    if (counter) counter->add_to(out);
  }
  if (!shared.empty()) out.levels = shared.take(first);
  out.levels.resize(static_cast<std::size_t>(levels));
  return out;
}

}  // namespace

template <class Place>
Result<StrataCounts> count_strata(const Size3& size, const SliceRange& slices, int levels,
                                  const PlaceRows<Place>& rows, Construction construction,
                                  const JobContext& context) {
  if (construction == Construction::closed_voxels) {
    return count<Place, Place>(size, slices, levels, rows, construction, context);
  }
  // Codes: one more for the outside, without the largest number, to which next() cannot add 1.
  using Wider = std::conditional_t<sizeof(Place) == 1, std::uint16_t, std::uint32_t>;
  auto counts = static_cast<std::int64_t>(levels) < std::int64_t{std::numeric_limits<Place>::max()}
                    ? count<Place, Place>(size, slices, levels, rows, construction, context)
                    : count<Place, Wider>(size, slices, levels, rows, construction, context);
  if (counts) std::ranges::reverse(counts->levels);
  return counts;
}

template <class Place>
void complete_last_level(const Size3& size, Construction construction, StrataCounts& counts) {
  constexpr std::size_t kMost = std::numeric_limits<Place>::max();
  if (construction != Construction::closed_voxels || counts.levels.size() != kMost + 1) return;
  // The outside shares the code of the last place: that level gets what the others leave over.
  auto rest = all_strata(size, construction);
  for (std::size_t i = 0; i < kMost; ++i) {
    for (std::size_t s = 0; s < 8; ++s) rest[s] -= counts.levels[i][s];
  }
  counts.levels.back() = rest;
}

template <class Place>
Result<StrataCounts> count_strata(const Size3& size, int levels, const PlaceRows<Place>& rows,
                                  Construction construction, const JobContext& context) {
  auto counts =
      count_strata<Place>(size, SliceRange{0, size.z}, levels, rows, construction, context);
  if (counts) complete_last_level<Place>(size, construction, *counts);
  return counts;
}

template void complete_last_level<std::uint8_t>(const Size3&, Construction, StrataCounts&);
template void complete_last_level<std::uint16_t>(const Size3&, Construction, StrataCounts&);
template Result<StrataCounts> count_strata(const Size3&, int, const PlaceRows<std::uint8_t>&,
                                           Construction, const JobContext&);
template Result<StrataCounts> count_strata(const Size3&, int, const PlaceRows<std::uint16_t>&,
                                           Construction, const JobContext&);
template Result<StrataCounts> count_strata(const Size3&, const SliceRange&, int,
                                           const PlaceRows<std::uint8_t>&, Construction,
                                           const JobContext&);
template Result<StrataCounts> count_strata(const Size3&, const SliceRange&, int,
                                           const PlaceRows<std::uint16_t>&, Construction,
                                           const JobContext&);
template void complete_last_level<std::uint32_t>(const Size3&, Construction, StrataCounts&);
template Result<StrataCounts> count_strata(const Size3&, int, const PlaceRows<std::uint32_t>&,
                                           Construction, const JobContext&);
template Result<StrataCounts> count_strata(const Size3&, const SliceRange&, int,
                                           const PlaceRows<std::uint32_t>&, Construction,
                                           const JobContext&);

}  // namespace aprscope
