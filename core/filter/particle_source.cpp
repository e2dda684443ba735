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

// Spreads bits by `reach` to both sides, as far as the n words go.
void spread(std::uint64_t* words, std::int64_t n, std::int64_t reach) {
  // Doubling steps: each spreads what is spread already.
  for (std::int64_t done = 0; done < reach;) {
    const auto step = static_cast<unsigned>(std::min({done + 1, reach - done, std::int64_t{63}}));
    std::uint64_t before = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const std::uint64_t here = words[i];
      const std::uint64_t after = i + 1 < n ? words[i + 1] : 0;
      words[i] = here | here << step | here >> step | before >> (64 - step) | after << (64 - step);
      before = here;
    }
    done += step;
  }
}

void or_into(const std::uint64_t* from, std::int64_t n, std::uint64_t* to) {
  for (std::int64_t i = 0; i < n; ++i) to[i] |= from[i];
}

bool any(const std::uint64_t* words, std::int64_t n) {
  std::uint64_t v = 0;
  for (std::int64_t i = 0; i < n; ++i) v |= words[i];
  return v != 0;
}

}  // namespace

ParticleSource::ParticleSource(const FilterInput& input, std::span<float> out,
                               std::span<float> means)
    : input_(input),
      interior_(input.access->interior()),
      kernels_(filter_kernels()),
      out_(out),
      means_(means) {}

void ParticleSource::bind(const FilterInput& input, std::span<float> out) {
  input_ = input;
  out_ = out;
}

void ParticleSource::reserve(const Slab& largest) {
  const std::int64_t words = largest.words();
  const std::int64_t all = words + 2 * ((largest.halo_blocks() + 7) / 8);
  const std::int64_t own = (largest.z1 - largest.z0) * (largest.x1 - largest.x0);
  const std::int64_t wide_x =
      std::min(largest.quads_x(), largest.x1 - largest.x0 + 2 * largest.halo_x());
  const std::int64_t wide_z =
      std::min(largest.quads_z(), largest.z1 - largest.z0 + 2 * largest.halo_z());
  active_.reserve(static_cast<std::size_t>(own * words));
  needed_.reserve(static_cast<std::size_t>(wide_z * wide_x * all));
  spread_.reserve(static_cast<std::size_t>((wide_x + 1) * all));
  for (auto* limits : {&wanted_, &inside_, &ends_, &families_}) {
    limits->reserve(static_cast<std::size_t>(all));
  }
  if (rest_.size() < static_cast<std::size_t>(all)) rest_.resize(static_cast<std::size_t>(all));
  const auto coarse = static_cast<std::size_t>((wide_x / 2 + 1) * all);
  if (coarse_known_.size() < coarse) {
    coarse_known_.resize(coarse);
    coarse_.resize(32 * coarse);
  }
}

bool ParticleSource::open(const Slab& slab) {
  slab_ = slab;
  words_ = slab.words();
  halo_words_ = (slab.halo_blocks() + 7) / 8;
  all_words_ = words_ + 2 * halo_words_;
  wide_ = slab.last_x() - slab.first_x();
  const int level = slab.level;
  const LinearAccess& cells = input_.access->particles();
  const LinearAccess& tree = input_.access->tree();
  const bool finest = level == interior_.level_max();
  rows_.particles = cells.xz_end().data() + cells.first_row(level) - 1;
  rows_.tree = finest ? nullptr : tree.xz_end().data() + tree.first_row(level) - 1;
  rows_.coarse = level > 1 ? cells.xz_end().data() + cells.first_row(level - 1) - 1 : nullptr;
  rows_.families =
      finest && !means_.empty() ? tree.xz_end().data() + tree.first_row(level - 1) - 1 : nullptr;
  rows_.own = finest ? nullptr : &interior_.level(level);
  rows_.above = &interior_.level(level - 1);
  rows_.grand = &interior_.level(level - 2);
  limit_words();
  if (!find_active()) return false;
  find_needed();
  quad_ = {};
  quad_.cells = slab.grid.y;
  quad_.inside = inside_.data();
  quad_.first_word = slab.b0 / 8 - halo_words_;
  quad_.words = all_words_;
  coarse_plane_ = -1;
  return true;
}

void ParticleSource::limit_words() {
  const std::int64_t n = slab_.grid.y;
  const std::int64_t first = slab_.b0 / 8 - halo_words_;
  const auto fill_words = [&](std::vector<std::uint64_t>& words, std::int64_t begin,
                              std::int64_t end) {
    words.resize(static_cast<std::size_t>(all_words_));
    for (std::int64_t w = 0; w < all_words_; ++w) {
      words[static_cast<std::size_t>(w)] = word_mask(begin, end, first + w);
    }
  };
  fill_words(wanted_, slab_.wanted.begin.y / 2, (slab_.wanted.end.y + 1) / 2);
  const std::int64_t begin = std::max<std::int64_t>(0, slab_.b0 - slab_.halo_blocks());
  fill_words(inside_, 8 * begin, std::min((n + 1) / 2, 8 * (slab_.b1 + slab_.halo_blocks())));
  // Blocks b with 16 b <= radius, or 16 (b + 1) + radius >= n: reflected cells lie no farther from
  // the end of a row than the radius. What is not among these:
  const std::int64_t after = slab_.radius.y / kBlock + 1;
  const std::int64_t before = std::max<std::int64_t>(0, n - slab_.radius.y - 1) / kBlock;
  fill_words(ends_, 8 * after, 8 * before);
  for (std::uint64_t& w : ends_) w = ~w;
  fill_words(families_, 8 * slab_.b0, std::min(n / 2, 8 * slab_.b1));
}

// Parents in row (z, x) that have a child that is a particle; whether there are any.
bool ParticleSource::find_active(std::int64_t z, std::int64_t x, std::uint64_t* to) const {
  const InteriorMap::Level& above = *rows_.above;
  const std::int64_t first = slab_.b0 / 8;
  const std::int64_t words = std::min(words_, above.words - first);
  const std::uint64_t* const parents = above.row(z, x) + first;
  const std::uint64_t* const wanted = wanted_.data() + halo_words_;
  std::uint64_t found = 0;
  if (rows_.own == nullptr) {
    for (std::int64_t w = 0; w < words; ++w) found |= to[w] = parents[w] & wanted[w];
    return found != 0;
  }
  const InteriorMap::Level& own = *rows_.own;
  const std::int64_t row = own.words;
  const std::int64_t next_x = 2 * x + 1 < slab_.grid.x ? row : 0;
  const std::int64_t next_z = 2 * z + 1 < slab_.grid.z ? row * slab_.grid.x : 0;
  const std::uint64_t* const cells = own.row(2 * z, 2 * x) + 2 * first;
  for (std::int64_t w = 0; w < words; ++w) {
    const std::uint64_t v = parents[w] & wanted[w];
    if (v == 0) continue;
    std::uint64_t particles = 0;
    for (std::int64_t half = 0; half < 2; ++half) {
      const std::int64_t k = 2 * w + half;
      const std::uint64_t exist =
          (_pdep_u64(v >> (32 * half), kEven) * 3) & word_mask(0, slab_.grid.y, 2 * first + k);
      if (exist == 0) continue;
      const std::uint64_t interior =
          cells[k] & cells[k + next_x] & cells[k + next_z] & cells[k + next_z + next_x];
      const std::uint64_t some = exist & ~interior;
      particles |= _pext_u64(some | some >> 1, kEven) << (32 * half);
    }
    found |= to[w] = particles;
  }
  return found != 0;
}

bool ParticleSource::find_active() {
  const LinearAccess& tree = input_.access->tree();
  active_.assign(static_cast<std::size_t>((slab_.z1 - slab_.z0) * (slab_.x1 - slab_.x0) * words_),
                 0);
  bool found = false;
  for (std::int64_t z = slab_.z0; z < slab_.z1; ++z) {
    const std::uint64_t row = tree.first_row(slab_.level - 1) +
                              static_cast<std::uint64_t>(z * rows_.above->grid.x + slab_.x0);
    const auto x_count = static_cast<std::uint64_t>(slab_.x1 - slab_.x0);
    if (tree.xz_end()[row - 1] == tree.xz_end()[row + x_count - 1]) continue;
    std::uint64_t* to = active_.data() + active_at(z, slab_.x0);
    for (std::int64_t x = slab_.x0; x < slab_.x1; ++x, to += words_) {
      found = find_active(z, x, to) || found;
    }
  }
  return found;
}

// Dilates by what the radius reaches, one dimension after the other.
void ParticleSource::find_needed() {
  const std::int64_t all = all_words_;
  const std::int64_t reach = (slab_.radius.y + 1) / 2;
  const std::int64_t first_x = slab_.first_x();
  const std::int64_t line = wide_ * all;
  needed_.assign(static_cast<std::size_t>((slab_.last_z() - slab_.first_z()) * line), 0);
  spread_.resize(static_cast<std::size_t>(line + all));
  std::uint64_t* const plane = spread_.data();
  std::uint64_t* const row = spread_.data() + line;
  for (std::int64_t z = slab_.z0; z < slab_.z1; ++z) {
    std::int64_t x = next_active(z, slab_.x0);
    if (x == slab_.x1) continue;
    std::fill(plane, plane + line, 0);
    for (; x < slab_.x1; x = next_active(z, x + 1)) {
      std::fill(row, row + all, 0);
      std::copy_n(active(z, x), words_, row + halo_words_);
      spread(row, all, reach);
      const std::int64_t end = std::min(slab_.last_x(), x + slab_.halo_x() + 1);
      for (std::int64_t k = std::max(first_x, x - slab_.halo_x()); k < end; ++k) {
        or_into(row, all, plane + (k - first_x) * all);
      }
    }
    const std::int64_t end = std::min(slab_.last_z(), z + slab_.halo_z() + 1);
    for (std::int64_t k = std::max(slab_.first_z(), z - slab_.halo_z()); k < end; ++k) {
      or_into(plane, line, needed_.data() + needed_at(k, first_x));
    }
  }
}

std::int64_t ParticleSource::next_active(std::int64_t z, std::int64_t x) const {
  const std::uint64_t* words = active(z, x);
  while (x < slab_.x1 && !any(words, words_)) {
    ++x;
    words += words_;
  }
  return x;
}

std::int64_t ParticleSource::next_needed(std::int64_t z, std::int64_t x) const {
  const std::uint64_t* words = needed_.data() + needed_at(z, x);
  while (x < slab_.last_x() && !any(words, all_words_)) {
    ++x;
    words += all_words_;
  }
  return x;
}

// What is the same in all quads of a slab is set already.
void ParticleSource::find_quad(std::int64_t z, std::int64_t x) {
  quad_.parent = rows_.above->row(z, x);
  quad_.parent_ranks = rows_.above->row_ranks(z, x);
  quad_.grand = rows_.grand->row(z / 2, x / 2);
  quad_.grand_ranks = rows_.grand->row_ranks(z / 2, x / 2);
  quad_.needed = needed_.data() + needed_at(z, x);
  quad_.rows = 0;
  const float* const particles = input_.particles.data();
  if (rows_.coarse != nullptr) {
    quad_.coarse = particles + rows_.coarse[z * rows_.above->grid.x + x];
  }
  const std::int64_t first = 2 * (z * slab_.grid.x + x);
  const bool pair = 2 * x + 1 < slab_.grid.x;
  const auto add = [&](std::int64_t row) {
    const int i = quad_.rows++;
    quad_.particles[i] = particles + rows_.particles[row];
    if (rows_.own == nullptr) return;
    quad_.own[i] = rows_.own->bits.data() + row * rows_.own->words;
    quad_.own_ranks[i] = rows_.own->ranks.data() + row * rows_.own->words;
    quad_.tree[i] = input_.tree.data() + rows_.tree[row];
  };
  add(first);
  if (pair) add(first + 1);
  if (2 * z + 1 < slab_.grid.z) {
    add(first + slab_.grid.x);
    if (pair) add(first + slab_.grid.x + 1);
  }
}

QuadSource::Filled ParticleSource::fill(std::int64_t z, std::int64_t x, float* const* rows) {
  find_quad(z, x);
  const std::int64_t rest = kernels_.fill(quad_, slab_.base(), rows, rest_.data());
  for (std::int64_t i = 0; i < rest; ++i) {
    fill_coarse(z, x, rest_[static_cast<std::size_t>(i)], rows);
  }
  const bool own = z >= slab_.z0 && z < slab_.z1 && x >= slab_.x0 && x < slab_.x1;
  if (rows_.families != nullptr && own && quad_.rows == 4) {
    kernels_.means(quad_, families_.data(), slab_.base(), rows,
                   means_.data() + rows_.families[z * rows_.above->grid.x + x]);
  }
  std::uint64_t ends = 0;
  for (std::int64_t w = 0; w < all_words_; ++w) {
    ends |= quad_.needed[w] & ends_[static_cast<std::size_t>(w)];
  }
  return ends != 0 ? Filled::with_ends : Filled::inside;
}

// Pairs of cells that lie in particles at least two levels coarser.
void ParticleSource::fill_coarse(std::int64_t z, std::int64_t x, const CoarseCells& cells,
                                 float* const* rows) {
  if (z / 2 != coarse_plane_) {
    coarse_plane_ = z / 2;
    std::fill(coarse_known_.begin(), coarse_known_.end(), 0);
  }
  const std::int64_t at =
      (x / 2 - slab_.first_x() / 2) * all_words_ + cells.word - quad_.first_word;
  std::uint32_t& known = coarse_known_[static_cast<std::size_t>(at)];
  float* const values = coarse_.data() + 32 * at;
  const auto asked =
      static_cast<std::uint32_t>(_pext_u64(cells.parents | cells.parents >> 1, kEven));
  const std::uint32_t missing = asked & ~known;
  if (missing != 0) known |= find_coarse(z, x, cells.word, missing, values);
  kernels_.spread(cells, values, slab_.base(), rows, quad_.rows);
}

// Finds values of pairs of parents of a word, and returns which are known then.
std::uint32_t ParticleSource::find_coarse(std::int64_t z, std::int64_t x, std::int64_t word,
                                          std::uint32_t missing, float* values) const {
  const LinearAccess& access = input_.access->particles();
  const int above = slab_.level - 1;
  std::uint32_t found = 0;
  for (std::uint32_t left = missing; left != 0; left &= ~found) {
    const std::int64_t pair = __builtin_ctz(left);
    const std::int64_t y = 64 * word + 2 * pair;
    int shift = 1;
    // The children of the interior cell that is found first hold the particle.
    while (!interior_.level(above - shift - 1)
                .test(z >> (shift + 1), x >> (shift + 1), y >> (shift + 1))) {
      ++shift;
    }
    const int level = above - shift;
    const std::int64_t index = interior_.particle_rank(level, z >> shift, x >> shift, y >> shift);
    const float value = input_.particles[access.row(level, z >> shift, x >> shift).begin +
                                         static_cast<std::uint64_t>(index)];
    const std::int64_t end =
        std::min<std::int64_t>((((y >> shift) + 1) << shift) / 2 - 32 * word, 32);
    std::fill(values + pair, values + end, value);
    found |= static_cast<std::uint32_t>(word_mask(pair, end, 0));
  }
  return found;
}

void ParticleSource::store(std::int64_t z, std::int64_t x, const std::int32_t* starts,
                           std::int64_t count, const RunValues& values) {
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
  kernels_.store(quad, starts, count, values.rows.data(), values.at);
}

}  // namespace aprscope::detail
