#include "core/topology/level_window.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include <immintrin.h>

namespace aprscope {
namespace {

// The place of what is divided further.
constexpr int kDivided = 0;
constexpr std::uint64_t kEven = 0x5555555555555555ULL;

// Bits of the cells of a row of n that lie in word w.
std::uint64_t inside(std::int64_t n, std::int64_t w) {
  const std::int64_t left = n - 64 * w;
  return left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
}

}  // namespace

template <class Place, class Given>
LevelWindow<Place, Given>::LevelWindow(const AprAccess& access, std::span<const Given> places,
                                       int levels, Construction construction)
    : cells_(access.particles()),
      interior_(access.interior()),
      places_(places),
      levels_(levels),
      closed_(construction == Construction::closed_voxels),
      outside_(closed_ ? std::numeric_limits<Place>::max() : Place{0}) {}

template <class Place, class Given>
void LevelWindow<Place, Given>::open(int level, const GridPart& part) {
  level_ = level;
  part_ = part;
  grid_ = cells_.grid(level);
  band_ = part.x1 - part.x0 + 2;
  stride_ = strata_stride(grid_.y);
  blocks_ = strata_blocks(grid_.y);
  const auto rows = [this](std::int64_t slices, std::int64_t row) {
    return static_cast<std::size_t>(slices * band_ * row);
  };
  // Around rows all is outside.
  rows_.assign(rows(3, stride_) + kStrataAir, outside_);
  for (std::int64_t row = 0; row < 3 * band_; ++row) {
    std::fill_n(rows_.data() + row * stride_ + kStrataAir, grid_.y, Place{kDivided});
  }
  outside_row_.assign(static_cast<std::size_t>(stride_ + kStrataAir), outside_);
  same_.assign(rows(kBitSlices, blocks_ + 1) + 1, 0);
  near_.assign(rows(3, blocks_), 0);
  no_bits_.assign(static_cast<std::size_t>(blocks_ + 2), 0);
  any_same_.assign(rows(kBitSlices, 1), 0);
  any_near_.assign(rows(3, 1), 0);
  next_ = part.z0 - 1;
  find_particles(next_);
}

template <class Place, class Given>
void LevelWindow<Place, Given>::load() {
  const std::int64_t z = next_++;
  find_particles(z + 1);
  for (std::int64_t x = part_.x0 - 1; x <= part_.x1; ++x) {
    if (has(z, x)) fill_row(z, x);
  }
}

// Children of divided cells exist.
template <class Place, class Given>
std::uint64_t LevelWindow<Place, Given>::existing(std::int64_t z, std::int64_t x,
                                                  std::int64_t word) const {
  const std::uint64_t parents =
      interior_.level(level_ - 1).row(z >> 1, x >> 1)[word >> 1] >> (32 * (word & 1));
  return (_pdep_u64(parents, kEven) * 3) & inside(grid_.y, word);
}

template <class Place, class Given>
void LevelWindow<Place, Given>::find_particles(std::int64_t z) {
  for (std::int64_t x = part_.x0 - 1; x <= part_.x1; ++x) {
    if (!has(z, x)) continue;
    const bool any = !cells_.row(level_, z, x).empty();
    any_same_[static_cast<std::size_t>(slot(z, x, kBitSlices))] = static_cast<std::uint8_t>(any);
    std::uint64_t* const bits = same_.data() + bit_row(z, x);
    if (!any) {
      std::fill(bits, bits + blocks_, 0);
      continue;
    }
    const std::uint64_t* const divided =
        level_ < interior_.level_max() ? interior_.level(level_).row(z, x) : no_bits_.data();
    for (std::int64_t w = 0; w < blocks_; ++w) bits[w] = existing(z, x, w) & ~divided[w];
  }
}

// Cells that are particles or touch one.
template <class Place, class Given>
bool LevelWindow<Place, Given>::find_near(std::int64_t z, std::int64_t x,
                                          std::uint64_t* near) const {
  const std::uint64_t* rows[9];
  int count = 0;
  for (std::int64_t dz = -1; dz <= 1; ++dz) {
    for (std::int64_t dx = -1; dx <= 1; ++dx) {
      // The rows beside the band have only the band's side of what is near, which is all that
      // counts.
      if (!has(z + dz, x + dx) || x + dx < part_.x0 - 1 || x + dx > part_.x1) continue;
      if (any_same_[static_cast<std::size_t>(slot(z + dz, x + dx, kBitSlices))] == 0) continue;
      rows[count++] = same_.data() + bit_row(z + dz, x + dx);
    }
  }
  if (count == 0) return false;
  std::uint64_t before = 0;
  std::uint64_t here = 0;
  for (int i = 0; i < count; ++i) here |= rows[i][0];
  for (std::int64_t w = 0; w < blocks_; ++w) {
    std::uint64_t after = 0;
    if (w + 1 < blocks_) {
      for (int i = 0; i < count; ++i) after |= rows[i][w + 1];
    }
    near[w] = here | here << 1 | here >> 1 | before >> 63 | after << 63;
    before = here;
    here = after;
  }
  return true;
}

template <class Place, class Given>
void LevelWindow<Place, Given>::fill_row(std::int64_t z, std::int64_t x) {
  std::uint64_t* const near = near_.data() + slot(z, x, 3) * blocks_;
  const bool any = find_near(z, x, near);
  any_near_[static_cast<std::size_t>(slot(z, x, 3))] = static_cast<std::uint8_t>(any);
  if (!any) return;
  Place* const row = rows_.data() + place_row(z, x);
  const std::uint64_t* const same = same_.data() + bit_row(z, x);
  const Given* from = places_.data() + cells_.row(level_, z, x).begin;
  for (std::int64_t w = 0; w < blocks_; ++w) {
    if (near[w] == 0) continue;
    Place* const to = row + w * kStrataBlock;
    if (same[w] == ~std::uint64_t{0}) {
      for (std::int64_t i = 0; i < kStrataBlock; ++i) to[i] = window_place(from[i]);
      from += kStrataBlock;
      continue;
    }
    const std::uint64_t exist = existing(z, x, w);
    if (exist != same[w]) std::fill(to, to + kStrataBlock, Place{kDivided});
    for (std::uint64_t bits = same[w]; bits != 0; bits &= bits - 1) {
      to[std::countr_zero(bits)] = window_place(*from++);
    }
    const std::uint64_t coarse = near[w] & ~exist & inside(grid_.y, w);
    if (coarse != 0) fill_coarse(z, x, w, coarse, row);
  }
  // Cells in a block beyond the end are outside, whatever was written there with the others.
  std::fill(row + grid_.y, row + blocks_ * kStrataBlock, outside_);
}

// Cells of a word that lie in larger ones: mostly in particles of the level above, whose bits tell
// where these are in the list.
template <class Place, class Given>
void LevelWindow<Place, Given>::fill_coarse(std::int64_t z, std::int64_t x, std::int64_t word,
                                            std::uint64_t cells, Place* row) const {
  const int above = level_ - 1;
  const std::int64_t half = 32 * (word & 1);
  const std::int64_t w = word >> 1;
  const std::uint64_t grand =
      interior_.level(above - 1).row(z >> 2, x >> 2)[w >> 1] >> (32 * (w & 1));
  const std::uint64_t particles =
      _pdep_u64(grand, kEven) * 3 & ~interior_.level(above).row(z >> 1, x >> 1)[w];
  const Given* const from = places_.data() + cells_.row(above, z >> 1, x >> 1).begin +
                            interior_.particle_rank(above, z >> 1, x >> 1, 64 * w);
  Place* const to = row + 128 * w;
  for (std::uint64_t wanted = _pext_u64(cells | cells >> 1, kEven) << half; wanted != 0;
       wanted &= wanted - 1) {
    const int y = std::countr_zero(wanted);
    const std::uint64_t bit = wanted & -wanted;
    const Place place = (particles & bit) != 0
                            ? window_place(from[std::popcount(particles & (bit - 1))])
                            : coarser(above - 1, z >> 2, x >> 2, (64 * w + y) >> 1);
    to[2 * y] = place;
    to[2 * y + 1] = place;
  }
}

// The place of the particle that covers a cell of a level, or the cell itself.
template <class Place, class Given>
Place LevelWindow<Place, Given>::coarser(int level, std::int64_t z, std::int64_t x,
                                         std::int64_t y) const {
  for (; level >= cells_.level_first(); --level, z >>= 1, x >>= 1, y >>= 1) {
    if (!interior_.level(level - 1).test(z >> 1, x >> 1, y >> 1)) continue;
    const std::uint64_t i = cells_.row(level, z, x).begin +
                            static_cast<std::uint64_t>(interior_.particle_rank(level, z, x, y));
    return window_place(places_[i]);
  }
  return kDivided;  // cells cover the image: see AprAccess
}

template <class Place, class Given>
bool LevelWindow<Place, Given>::find_row(std::int64_t x, CellStrataRow<Place>& row) const {
  const std::int64_t z = next_ - 2;
  if (any_near_[static_cast<std::size_t>(slot(z, x, 3))] == 0) return false;
  for (std::int64_t dz = 0; dz < 3; ++dz) {
    for (std::int64_t dx = 0; dx < 3; ++dx) {
      const std::int64_t nz = z + dz - 1;
      const std::int64_t nx = x + dx - 1;
      const bool inside = has(nz, nx);
      row.rows[dz][dx] =
          inside ? rows_.data() + place_row(nz, nx) : outside_row_.data() + kStrataAir;
      row.same[dz][dx] = inside ? same_.data() + bit_row(nz, nx) : no_bits_.data() + 1;
    }
  }
  row.near = near_.data() + slot(z, x, 3) * blocks_;
  row.count = grid_.y;
  return true;
}

template class LevelWindow<std::uint8_t, std::uint16_t>;
template class LevelWindow<std::uint16_t, std::uint16_t>;
template class LevelWindow<std::uint32_t, std::uint16_t>;
template class LevelWindow<std::uint32_t, std::uint32_t>;

}  // namespace aprscope
