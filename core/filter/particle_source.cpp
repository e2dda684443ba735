#include "core/filter/particle_source.hpp"

#include <array>

#include <immintrin.h>

namespace aprscope::detail {
namespace {

constexpr std::uint64_t kEven = 0x5555555555555555ULL;

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
  masks_.reserve(largest);
  const std::int64_t all = largest.words() + 2 * ((largest.halo_blocks() + 7) / 8);
  const std::int64_t wide_x =
      std::min(largest.quads_x(), largest.x1 - largest.x0 + 2 * largest.halo_x());
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
  masks_.open(slab);
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
  masks_.find_needed();
  quad_ = {};
  quad_.cells = slab.grid.y;
  quad_.inside = inside_.data();
  quad_.first_word = masks_.first_word();
  quad_.words = masks_.words();
  result_ = {};
  result_.outputs = slab.outputs();
  result_.parent_words = rows_.above->words;
  result_.own_words = finest ? 0 : rows_.own->words;
  // A run may reach into the next slab.
  result_.y_begin = std::max(slab.wanted.begin.y, slab.b0 * kBlock);
  result_.y_end = std::min(slab.wanted.end.y, slab.b1 * kBlock);
  coarse_plane_ = -1;
  return true;
}

void ParticleSource::limit_words() {
  const std::int64_t n = slab_.grid.y;
  const std::int64_t first = masks_.first_word();
  const std::int64_t count = masks_.words();
  const auto fill_words = [&](std::vector<std::uint64_t>& words, std::int64_t begin,
                              std::int64_t end) {
    words.resize(static_cast<std::size_t>(count));
    for (std::int64_t w = 0; w < count; ++w) {
      words[static_cast<std::size_t>(w)] = word_mask(begin, end, first + w);
    }
  };
  fill_words(wanted_, slab_.wanted.begin.y / 2, (slab_.wanted.end.y + 1) / 2);
  const std::int64_t begin = std::max<std::int64_t>(0, slab_.b0 - slab_.halo_blocks());
  fill_words(inside_, 8 * begin, std::min((n + 1) / 2, 8 * (slab_.b1 + slab_.halo_blocks())));
  // Blocks b with 16 b <= radius, or 16 (b + 1) + radius >= n: reflected cells lie no farther from
  // the end of a row than the radius. The words outside of these blocks are inverted below:
  const std::int64_t after = slab_.radius.y / kBlock + 1;
  const std::int64_t before = std::max<std::int64_t>(0, n - slab_.radius.y - 1) / kBlock;
  fill_words(ends_, 8 * after, 8 * before);
  for (std::uint64_t& w : ends_) w = ~w;
  fill_words(families_, 8 * slab_.b0, std::min(n / 2, 8 * slab_.b1));
}

// Finds the parents in row (z, x) that have a child that is a particle; returns whether any do.
bool ParticleSource::find_active(std::int64_t z, std::int64_t x, std::uint64_t* to) const {
  const InteriorMap::Level& above = *rows_.above;
  const std::int64_t first = slab_.b0 / 8;
  const std::int64_t words = std::min(slab_.words(), above.words - first);
  const std::uint64_t* const parents = above.row(z, x) + first;
  const std::uint64_t* const wanted = wanted_.data() + masks_.before();
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
  bool found = false;
  for (std::int64_t z = slab_.z0; z < slab_.z1; ++z) {
    const std::uint64_t row = tree.first_row(slab_.level - 1) +
                              static_cast<std::uint64_t>(z * rows_.above->grid.x + slab_.x0);
    const auto x_count = static_cast<std::uint64_t>(slab_.x1 - slab_.x0);
    if (tree.xz_end()[row - 1] == tree.xz_end()[row + x_count - 1]) continue;
    for (std::int64_t x = slab_.x0; x < slab_.x1; ++x) {
      if (!find_active(z, x, masks_.active(z, x))) continue;
      masks_.set_active(z, x);
      found = true;
    }
  }
  return found;
}

// Sets what changes from quad to quad; what is the same in all quads of a slab is set already.
void ParticleSource::find_quad(std::int64_t z, std::int64_t x) {
  quad_.parent = rows_.above->row(z, x);
  quad_.parent_ranks = rows_.above->row_ranks(z, x);
  quad_.grand = rows_.grand->row(z / 2, x / 2);
  quad_.grand_ranks = rows_.grand->row_ranks(z / 2, x / 2);
  quad_.needed = masks_.needed(z, x);
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
  std::int64_t last = first + (pair ? 1 : 0);
  if (2 * z + 1 < slab_.grid.z) {
    add(first + slab_.grid.x);
    if (pair) add(first + slab_.grid.x + 1);
    last += slab_.grid.x;
  }
  // Other rows, and those of the level above, end before the last.
  constexpr std::uint64_t kRoom = 16;
  quad_.open = rows_.coarse != nullptr &&
               rows_.particles[last + 1] + kRoom <= input_.particles.size() &&
               (rows_.own == nullptr || rows_.tree[last + 1] + kRoom <= input_.tree.size());
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
  for (std::int64_t w = 0; w < quad_.words; ++w) {
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
      (x / 2 - slab_.first_x() / 2) * quad_.words + cells.word - quad_.first_word;
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
  result_.parent = rows_.above->row(z, x);
  result_.parent_ranks = rows_.above->row_ranks(z, x);
  const Region& wanted = slab_.wanted;
  const int line = slab_.outputs_x();
  for (int o = 0; o < result_.outputs; ++o) {
    const std::int64_t cz = 2 * z + (line == 2 ? o / 2 : o);
    const std::int64_t cx = 2 * x + (line == 2 ? o % 2 : 0);
    const bool inside = cz < slab_.grid.z && cx < slab_.grid.x;
    if (rows_.own != nullptr) {
      result_.own[o] = rows_.own->row(inside ? cz : 2 * z, inside ? cx : 2 * x);
      result_.own_ranks[o] = rows_.own->row_ranks(inside ? cz : 2 * z, inside ? cx : 2 * x);
    }
    const bool is_wanted =
        cz >= wanted.begin.z && cz < wanted.end.z && cx >= wanted.begin.x && cx < wanted.end.x;
    if (!is_wanted) {
      result_.out[o] = nullptr;
      continue;
    }
    const std::int64_t row = cz * slab_.grid.x + cx;
    result_.out[o] = out_.data() + rows_.particles[row];
    // Behind the last particle that is wanted lie others, which other threads may write. Pairs of
    // cells exist together.
    const std::int64_t end = result_.y_end - result_.y_end % 2;
    result_.out_end[o] = result_.y_end >= slab_.grid.y
                             ? out_.data() + rows_.particles[row + 1]
                             : result_.out[o] + interior_.particle_rank(slab_.level, cz, cx, end);
  }
  kernels_.store(result_, starts, count, values.rows.data(), values.at);
}

}  // namespace aprscope::detail
