#include "core/filter/particle_source.hpp"

#include <array>

#include <immintrin.h>

namespace aprscope::detail {
namespace {

constexpr std::uint64_t kEven = 0x5555555555555555ULL;

// Bits [begin, end) of the word that holds bits [64 w, 64 w + 64).
std::uint64_t word_mask(std::int64_t begin, std::int64_t end, std::int64_t w) {
  const std::int64_t low = std::clamp<std::int64_t>(begin - 64 * w, 0, 64);
  const std::int64_t high = std::clamp<std::int64_t>(end - 64 * w, 0, 64);
  if (low >= high) return 0;
  const std::uint64_t up_to = high == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << high) - 1;
  return up_to & ~((std::uint64_t{1} << low) - 1);
}

// ORs `from` moved by `shift` bits (either way) into `to`, both of n words.
void or_shifted(const std::uint64_t* from, std::int64_t n, std::int64_t shift, std::uint64_t* to) {
  const std::int64_t words = shift >= 0 ? shift / 64 : -((63 - shift) / 64);
  const auto bits = static_cast<unsigned>(shift - 64 * words);
  for (std::int64_t i = 0; i < n; ++i) {
    const auto at = [&](std::int64_t k) { return k >= 0 && k < n ? from[k] : 0; };
    std::uint64_t v = at(i - words) << bits;
    if (bits != 0) v |= at(i - words - 1) >> (64 - bits);
    to[i] |= v;
  }
}

// Bit i of the result: byte i of the words is not 0.
std::uint64_t bytes_in_use(const std::uint64_t* words, std::int64_t n) {
  std::uint64_t mask = 0;
  for (std::int64_t w = 0; w < n; ++w) {
    std::uint64_t v = words[w];
    v |= v >> 4;
    v |= v >> 2;
    v |= v >> 1;
    mask |= _pext_u64(v, 0x0101010101010101ULL) << (8 * w);
  }
  return mask;
}

bool any(const std::uint64_t* words, std::int64_t n) {
  std::uint64_t v = 0;
  for (std::int64_t i = 0; i < n; ++i) v |= words[i];
  return v != 0;
}

}  // namespace

ParticleSource::ParticleSource(const FilterInput& input, std::span<float> out)
    : input_(input), interior_(input.access->interior()), kernels_(filter_kernels()), out_(out) {}

void ParticleSource::bind(const FilterInput& input, std::span<float> out) {
  input_ = input;
  out_ = out;
}

void ParticleSource::reserve(const Slab& largest) {
  const std::int64_t words = (largest.b1 - largest.b0 + 7) / 8;
  const std::int64_t all = words + 2 * ((largest.halo_blocks() + 7) / 8);
  const std::int64_t own = (largest.z1 - largest.z0) * (largest.x1 - largest.x0);
  const std::int64_t wide_x =
      std::min(largest.quads_x(), largest.x1 - largest.x0 + 2 * largest.halo_x());
  const std::int64_t wide_z =
      std::min(largest.quads_z(), largest.z1 - largest.z0 + 2 * largest.halo_z());
  active_.reserve(static_cast<std::size_t>(own * words));
  needed_.reserve(static_cast<std::size_t>(wide_z * wide_x * all));
  spread_.reserve(static_cast<std::size_t>((largest.z1 - largest.z0) * wide_x * all + 2 * all));
  const auto blocks = static_cast<std::size_t>(8 * all);
  if (rest_.size() < blocks) {
    blocks_.resize(blocks);
    positions_.resize(blocks);
    rest_.resize(blocks);
  }
}

std::size_t ParticleSource::active_at(std::int64_t z, std::int64_t x) const {
  return static_cast<std::size_t>(((z - slab_.z0) * (slab_.x1 - slab_.x0) + x - slab_.x0) * words_);
}

bool ParticleSource::open(const Slab& slab) {
  slab_ = slab;
  words_ = (slab.b1 - slab.b0 + 7) / 8;
  halo_words_ = (slab.halo_blocks() + 7) / 8;
  const int level = slab.level;
  const LinearAccess& cells = input_.access->particles();
  const LinearAccess& tree = input_.access->tree();
  const bool finest = level == interior_.level_max();
  rows_.particles = cells.xz_end().data() + cells.first_row(level) - 1;
  rows_.tree = finest ? nullptr : tree.xz_end().data() + tree.first_row(level) - 1;
  rows_.coarse = level > 1 ? cells.xz_end().data() + cells.first_row(level - 1) - 1 : nullptr;
  rows_.own = finest ? nullptr : &interior_.level(level);
  rows_.above = &interior_.level(level - 1);
  rows_.grand = &interior_.level(level - 2);
  if (!find_active()) return false;
  find_needed();
  return true;
}

// Those of 64 parents in row (z, x) that have a child that is a particle.
std::uint64_t ParticleSource::with_particles(std::int64_t z, std::int64_t x, std::int64_t word,
                                             std::uint64_t parents) const {
  const InteriorMap::Level& own = *rows_.own;
  std::uint64_t found = 0;
  for (int half = 0; half < 2; ++half) {
    const std::uint64_t pairs = _pdep_u64(parents >> (32 * half), kEven) * 3;
    const std::int64_t w = 2 * word + half;
    const std::uint64_t cells = pairs & word_mask(0, slab_.grid.y, w);
    if (cells == 0) continue;
    std::uint64_t particles = 0;
    for (std::int64_t cz = 2 * z; cz < std::min(2 * z + 2, slab_.grid.z); ++cz) {
      for (std::int64_t cx = 2 * x; cx < std::min(2 * x + 2, slab_.grid.x); ++cx) {
        particles |= cells & ~own.row(cz, cx)[w];
      }
    }
    found |= _pext_u64(particles | particles >> 1, kEven) << (32 * half);
  }
  return found;
}

bool ParticleSource::find_active() {
  const InteriorMap::Level& above = *rows_.above;
  const LinearAccess& tree = input_.access->tree();
  const bool finest = rows_.own == nullptr;
  const std::int64_t first_word = slab_.b0 / 8;
  // Parents of the wanted cells.
  const std::int64_t y_begin = slab_.wanted.begin.y / 2;
  const std::int64_t y_end = (slab_.wanted.end.y + 1) / 2;
  active_.assign(static_cast<std::size_t>((slab_.z1 - slab_.z0) * (slab_.x1 - slab_.x0) * words_),
                 0);
  bool found = false;
  for (std::int64_t z = slab_.z0; z < slab_.z1; ++z) {
    const std::uint64_t row =
        tree.first_row(slab_.level - 1) + static_cast<std::uint64_t>(z * above.grid.x + slab_.x0);
    const auto x_count = static_cast<std::uint64_t>(slab_.x1 - slab_.x0);
    if (tree.xz_end()[row - 1] == tree.xz_end()[row + x_count - 1]) continue;
    for (std::int64_t x = slab_.x0; x < slab_.x1; ++x) {
      const std::uint64_t* const bits = above.row(z, x);
      std::uint64_t* const to = active_.data() + active_at(z, x);
      for (std::int64_t w = 0; w < words_; ++w) {
        const std::int64_t at = first_word + w;
        if (at >= above.words) break;
        std::uint64_t v = bits[at] & word_mask(y_begin, y_end, at);
        if (v != 0 && !finest) v = with_particles(z, x, at, v);
        to[w] = v;
        found = found || v != 0;
      }
    }
  }
  return found;
}

// Dilates by what the radius reaches, one dimension after the other.
void ParticleSource::find_needed() {
  const std::int64_t all = words_ + 2 * halo_words_;
  const std::int64_t halo_y = (slab_.radius.y + 1) / 2;
  const std::int64_t first_x = slab_.first_x();
  const std::int64_t last_x = slab_.last_x();
  const std::int64_t width = last_x - first_x;
  const std::int64_t depth = slab_.last_z() - slab_.first_z();
  const auto line = static_cast<std::size_t>(width * all);
  spread_.assign(static_cast<std::size_t>((slab_.z1 - slab_.z0) * width * all + 2 * all), 0);
  needed_.assign(static_cast<std::size_t>(depth * width * all), 0);
  std::uint64_t* const wide = spread_.data() + (slab_.z1 - slab_.z0) * width * all;
  std::uint64_t* const before = wide + all;
  for (std::int64_t z = slab_.z0; z < slab_.z1; ++z) {
    std::uint64_t* const row = spread_.data() + static_cast<std::size_t>(z - slab_.z0) * line;
    bool found = false;
    for (std::int64_t x = slab_.x0; x < slab_.x1; ++x) {
      const std::uint64_t* const from = active_.data() + active_at(z, x);
      if (!any(from, words_)) continue;
      found = true;
      std::fill(wide, wide + all, 0);
      std::copy(from, from + words_, wide + halo_words_);
      // Doubling steps: each spreads what is spread already.
      for (std::int64_t reach = 0; reach < halo_y;) {
        const std::int64_t step = std::min(reach + 1, halo_y - reach);
        std::copy(wide, wide + all, before);
        or_shifted(before, all, step, wide);
        or_shifted(before, all, -step, wide);
        reach += step;
      }
      for (std::int64_t k = std::max(first_x, x - slab_.halo_x());
           k < std::min(last_x, x + slab_.halo_x() + 1); ++k) {
        std::uint64_t* const to = row + (k - first_x) * all;
        for (std::int64_t w = 0; w < all; ++w) to[w] |= wide[w];
      }
    }
    if (!found) continue;
    for (std::int64_t k = std::max(slab_.first_z(), z - slab_.halo_z());
         k < std::min(slab_.last_z(), z + slab_.halo_z() + 1); ++k) {
      std::uint64_t* const to =
          needed_.data() + static_cast<std::size_t>(k - slab_.first_z()) * line;
      for (std::size_t i = 0; i < line; ++i) to[i] |= row[i];
    }
  }
}

PairMask ParticleSource::active(std::int64_t z, std::int64_t x) const {
  PairMask mask;
  std::copy_n(active_.data() + active_at(z, x), words_, mask.words.data());
  return mask;
}

QuadRow ParticleSource::quad_row(std::int64_t z, std::int64_t x) const {
  QuadRow quad;
  quad.cells = slab_.grid.y;
  quad.parents = rows_.above->grid.y;
  quad.parent = rows_.above->row(z, x);
  quad.parent_ranks = rows_.above->row_ranks(z, x);
  quad.grand = rows_.grand->row(z / 2, x / 2);
  quad.grand_ranks = rows_.grand->row_ranks(z / 2, x / 2);
  const float* const particles = input_.particles.data();
  if (rows_.coarse != nullptr) {
    quad.coarse = particles + rows_.coarse[z * rows_.above->grid.x + x];
  }
  for (std::int64_t cz = 2 * z; cz < std::min(2 * z + 2, slab_.grid.z); ++cz) {
    for (std::int64_t cx = 2 * x; cx < std::min(2 * x + 2, slab_.grid.x); ++cx) {
      const int i = quad.rows++;
      const std::int64_t row = cz * slab_.grid.x + cx;
      quad.particles[i] = particles + rows_.particles[row];
      if (rows_.own == nullptr) continue;
      quad.own[i] = rows_.own->row(cz, cx);
      quad.own_ranks[i] = rows_.own->row_ranks(cz, cx);
      quad.tree[i] = input_.tree.data() + rows_.tree[row];
    }
  }
  return quad;
}

// Blocks with a parent that is needed, and which of their parents are; first those that hold cells
// of this level, then those that coarser particles cover whole.
ParticleSource::Needed ParticleSource::list_needed(const std::uint64_t* needed,
                                                   const std::uint64_t* parents) {
  const std::int64_t last_block = (slab_.grid.y + kBlock - 1) / kBlock;
  const std::int64_t begin = std::max<std::int64_t>(0, slab_.b0 - slab_.halo_blocks());
  const std::int64_t end = std::min(last_block, slab_.b1 + slab_.halo_blocks());
  std::int32_t* block = blocks_.data();
  std::uint8_t* position = positions_.data();
  const auto list = [&](bool coarse) {
    for (std::int64_t w = 0; w < words_ + 2 * halo_words_; ++w) {
      const std::uint64_t v = needed[w];
      if (v == 0) continue;
      const std::int64_t first = slab_.b0 + 8 * (w - halo_words_);
      std::uint64_t used = bytes_in_use(&v, 1);
      if (first < begin || first + 8 > end) used &= word_mask(begin - first, end - first, 0);
      if (used == 0) continue;
      const std::uint64_t cells = bytes_in_use(parents + first / 8, 1);
      used &= coarse ? ~cells : cells;
      for (; used != 0; used &= used - 1) {
        const int i = __builtin_ctzll(used);
        *block++ = static_cast<std::int32_t>(first + i);
        *position++ = static_cast<std::uint8_t>(v >> (8 * i));
      }
    }
    return block - blocks_.data();
  };
  const std::int64_t fine = list(false);
  return {fine, list(true)};
}

QuadSource::Filled ParticleSource::fill(std::int64_t z, std::int64_t x, float* const* rows) {
  const std::int64_t all = words_ + 2 * halo_words_;
  const std::int64_t line = z - slab_.first_z();
  const std::int64_t width = slab_.last_x() - slab_.first_x();
  const std::uint64_t* const needed = needed_.data() + (line * width + x - slab_.first_x()) * all;
  if (!any(needed, all)) return Filled::nothing;
  const auto [fine, count] = list_needed(needed, rows_.above->row(z, x));
  if (count == 0) return Filled::nothing;
  const QuadRow quad = quad_row(z, x);
  if (kernels_.fill(quad, blocks_.data(), positions_.data(), fine, count, slab_.base(), rows,
                    rest_.data())) {
    for (std::int64_t i = 0; i < count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      if (rest_[k] != 0) fill_coarse(z, x, blocks_[k], rest_[k], rows, quad.rows);
    }
  }
  // Reflected cells lie no farther from the end of a row than the radius.
  const auto near_end = [&](std::int32_t b) {
    return b * kBlock <= slab_.radius.y || (b + 1) * kBlock + slab_.radius.y >= slab_.grid.y;
  };
  // Both lists ascend.
  bool ends = near_end(blocks_[static_cast<std::size_t>(count - 1)]) || near_end(blocks_.front());
  if (fine > 0 && fine < count) {
    ends = ends || near_end(blocks_[static_cast<std::size_t>(fine - 1)]) ||
           near_end(blocks_[static_cast<std::size_t>(fine)]);
  }
  return ends ? Filled::with_ends : Filled::inside;
}

// Pairs of cells that lie in particles at least two levels coarser.
void ParticleSource::fill_coarse(std::int64_t z, std::int64_t x, std::int64_t block,
                                 unsigned positions, float* const* rows, int count) const {
  const LinearAccess& cells = input_.access->particles();
  const int above = slab_.level - 1;
  while (positions != 0) {
    const std::int64_t y = 8 * block + __builtin_ctz(positions);
    int shift = 1;
    // The children of the interior cell that is found first hold the particle.
    while (!interior_.level(above - shift - 1)
                .test(z >> (shift + 1), x >> (shift + 1), y >> (shift + 1))) {
      ++shift;
    }
    const int level = above - shift;
    const std::int64_t index = interior_.particle_rank(level, z >> shift, x >> shift, y >> shift);
    const float value = input_.particles[cells.row(level, z >> shift, x >> shift).begin +
                                         static_cast<std::uint64_t>(index)];
    const std::int64_t end = std::min(((y >> shift) + 1) << shift, 8 * block + 8);
    for (std::int64_t k = y; k < end; ++k) positions &= ~(1U << (k - 8 * block));
    for (int r = 0; r < count; ++r) {
      std::fill(rows[r] + 2 * y - slab_.base(), rows[r] + 2 * end - slab_.base(), value);
    }
  }
}

void ParticleSource::store(std::int64_t z, std::int64_t x, const std::int32_t* starts,
                           std::int64_t count, const float* values) {
  QuadResult quad;
  quad.parent = rows_.above->row(z, x);
  quad.parent_ranks = rows_.above->row_ranks(z, x);
  quad.outputs = slab_.outputs();
  quad.parent_words = rows_.above->words;
  quad.own_words = rows_.own != nullptr ? rows_.own->words : 0;
  // A run may reach into the next slab.
  quad.y_begin = std::max(slab_.wanted.begin.y, slab_.b0 * kBlock);
  quad.y_end = std::min(slab_.wanted.end.y, slab_.b1 * kBlock);
  const Region& wanted = slab_.wanted;
  const int line = slab_.outputs_x();
  for (int o = 0; o < quad.outputs; ++o) {
    const std::int64_t cz = 2 * z + (line == 2 ? o / 2 : o);
    const std::int64_t cx = 2 * x + (line == 2 ? o % 2 : 0);
    const bool inside = cz < slab_.grid.z && cx < slab_.grid.x;
    if (rows_.own != nullptr) {
      quad.own[o] = rows_.own->row(inside ? cz : 2 * z, inside ? cx : 2 * x);
      quad.own_ranks[o] = rows_.own->row_ranks(inside ? cz : 2 * z, inside ? cx : 2 * x);
    }
    if (cz >= wanted.begin.z && cz < wanted.end.z && cx >= wanted.begin.x && cx < wanted.end.x) {
      quad.out[o] = out_.data() + rows_.particles[cz * slab_.grid.x + cx];
    }
  }
  kernels_.store(quad, starts, count, values);
}

}  // namespace aprscope::detail
