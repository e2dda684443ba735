#include "core/cells/component_runs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "core/cells/run_kernels.hpp"
#include "core/topology/disjoint_sets.hpp"

namespace aprscope {
namespace {

constexpr std::uint64_t kMostComponents = std::numeric_limits<std::uint32_t>::max();

// Slabs are smaller than a thread's share, since threads of a busy machine are not alike fast; a
// slab has less than 2³² runs.
std::int64_t bands_of_slab(const Size3& bands, std::int64_t pixels) {
  constexpr std::int64_t kShares = 4;
  constexpr std::int64_t kLeast = std::int64_t{1} << 18U;
  const std::int64_t of_one = std::max<std::int64_t>(1, pixels / bands.z);
  const std::int64_t shares = kShares * thread_count();
  const std::int64_t wanted =
      std::max((bands.z + shares - 1) / shares, (kLeast + of_one - 1) / of_one);
  const std::int64_t most = std::max<std::int64_t>(1, (std::int64_t{1} << 32U) / of_one);
  return std::clamp<std::int64_t>(wanted, 1, most);
}

// Unites a and b, which are in one piece; links go to lower numbers.
void link(std::uint32_t* parent, std::uint32_t a, std::uint32_t b) {
  while (parent[a] != parent[b]) {
    if (parent[a] < parent[b]) std::swap(a, b);
    const std::uint32_t up = parent[a];
    parent[a] = parent[b];
    if (up == a) return;
    a = up;
  }
}

std::uint64_t starts_of(std::uint64_t bits, std::uint64_t before) {
  return bits & ~(bits << 1U | before >> 63U);
}

}  // namespace

// The rows of a band that face another band, one or two.
struct ComponentRuns::Side {
  std::array<const std::uint64_t*, 2> rows{};
  [[nodiscard]] std::uint64_t word(std::int64_t w) const {
    return rows[1] != nullptr ? rows[0][w] | rows[1][w] : rows[0][w];
  }
};

// Unites the runs of bands a and b where pixels of their sides have the same y or, `diagonal`, the
// next. through: rows through which a and b are joined anyway where both have the pixel.
template <class Unite>
void ComponentRuns::unite_contacts(std::int64_t a, std::int64_t b, const Side& near_a,
                                   const Side& near_b, bool diagonal, const Side* through,
                                   const Unite& unite) const {
  std::uint64_t before_a = 0;
  std::uint64_t before_b = 0;
  std::uint64_t in_a = near_a.word(0);
  std::uint64_t in_b = near_b.word(0);
  for (std::int64_t w = 0; w < words_; ++w) {
    const bool last = w + 1 == words_;
    const std::uint64_t next_a = last ? 0 : near_a.word(w + 1);
    const std::uint64_t next_b = last ? 0 : near_b.word(w + 1);
    const std::uint64_t both = in_a & in_b;
    std::uint64_t begin = starts_of(both, before_a & before_b);
    if (through != nullptr && begin != 0) {
      // Adding the first bit of a stretch carries to its end, unless there is another way.
      const std::uint64_t other = both & through->rows[0][w] & through->rows[1][w];
      const std::uint64_t alone = both & ~other;
      const std::uint64_t first = begin & alone;
      const std::uint64_t sum = alone + first;
      // Ends that a carry reached. A stretch that goes on in the next word counts as ending here.
      const std::uint64_t ends = both & ~(both >> 1U);
      const std::uint64_t reached = ((sum ^ alone) | first) & alone & ends;
      begin = reached;
    }
    const std::int64_t y = 64 * w;
    while (begin != 0) {
      const std::int64_t at = y + std::countr_zero(begin);
      unite(run_at(a, at), run_at(b, at));
      begin &= begin - 1;
    }
    if (diagonal) {
      // Diagonal contacts beside a contact straight across join nothing new.
      std::uint64_t left =
          in_a & (in_b << 1U | before_b >> 63U) & ~in_b & ~(in_a << 1U | before_a >> 63U);
      while (left != 0) {
        const std::int64_t at = y + std::countr_zero(left);
        unite(run_at(a, at), run_at(b, at - 1));
        left &= left - 1;
      }
      std::uint64_t right =
          in_a & (in_b >> 1U | next_b << 63U) & ~in_b & ~(in_a >> 1U | next_a << 63U);
      while (right != 0) {
        const std::int64_t at = y + std::countr_zero(right);
        unite(run_at(a, at), run_at(b, at + 1));
        right &= right - 1;
      }
    }
    before_a = in_a;
    before_b = in_b;
    in_a = next_a;
    in_b = next_b;
  }
}

// Unites a band with those before it: within its layer of bands, and in the one before.
template <class Unite>
void ComponentRuns::unite_bands(std::int64_t bz, std::int64_t bx, bool within, bool before,
                                Connectivity connectivity, const Unite& unite) const {
  const bool faces = connectivity == Connectivity::faces;
  const std::int64_t z = bz * rows_.z;
  const std::int64_t x = bx * rows_.x;
  // The row of the grid, null outside it.
  const auto row = [&](std::int64_t at_z, std::int64_t at_x) -> const std::uint64_t* {
    return at_z < grid_.z && at_x < grid_.x ? row_bits(at_z * grid_.x + at_x) : nullptr;
  };
  const bool two_z = rows_.z == 2;
  const bool two_x = rows_.x == 2;
  const std::int64_t a = bz * bands_.x + bx;
  if (within && bx > 0) {
    const Side near_a{{row(z, x), two_z ? row(z + 1, x) : nullptr}};
    const Side near_b{{row(z, x - 1), two_z ? row(z + 1, x - 1) : nullptr}};
    unite_contacts(a, a - 1, near_a, near_b, !faces, nullptr, unite);
  }
  if (!before || bz == 0) return;
  const Side near_a{{row(z, x), two_x ? row(z, x + 1) : nullptr}};
  const Side near_b{{row(z - 1, x), two_x ? row(z - 1, x + 1) : nullptr}};
  // Where both bands beside a and b have the pixel, a and b are joined through these already.
  const Side round{{bx > 0 ? row(z, x - 1) : nullptr, bx > 0 ? row(z - 1, x - 1) : nullptr}};
  unite_contacts(a, a - bands_.x, near_a, near_b, !faces,
                 faces && within && bx > 0 ? &round : nullptr, unite);
  if (faces) return;
  const bool corners = connectivity == Connectivity::corners;
  if (bx > 0) {
    unite_contacts(a, a - bands_.x - 1, Side{{row(z, x), nullptr}},
                   Side{{row(z - 1, x - 1), nullptr}}, corners, nullptr, unite);
  }
  const std::int64_t far = x + rows_.x;
  if (bx + 1 < bands_.x) {
    unite_contacts(a, a - bands_.x + 1, Side{{row(z, far - 1), nullptr}},
                   Side{{row(z - 1, far), nullptr}}, corners, nullptr, unite);
  }
}

// Rows to bits, and how many runs are before each word.
void ComponentRuns::pack(std::span<const std::uint8_t> mask, MaskSide side, Slab& slab,
                         const JobContext& context) {
  const RunKernels& kernels = run_kernels();
  const std::uint64_t rest = grid_.y % 64 == 0
                                 ? ~std::uint64_t{0}
                                 : (std::uint64_t{1} << static_cast<unsigned>(grid_.y % 64)) - 1;
  std::uint32_t runs = 0;
  for (std::int64_t bz = slab.begin; bz < slab.end; ++bz) {
    if (context.stop_requested()) return;
    for (std::int64_t bx = 0; bx < bands_.x; ++bx) {
      const std::int64_t band = bz * bands_.x + bx;
      std::uint64_t* joined = joined_.count() > 0 ? joined_.data() + band * words_ : nullptr;
      if (joined != nullptr) std::fill_n(joined, words_, 0);
      for (std::int64_t z = bz * rows_.z; z < std::min(grid_.z, (bz + 1) * rows_.z); ++z) {
        for (std::int64_t x = bx * rows_.x; x < std::min(grid_.x, (bx + 1) * rows_.x); ++x) {
          const std::int64_t row = z * grid_.x + x;
          std::uint64_t* bits = bits_.data() + row * words_;
          kernels.pack(mask.data() + row * grid_.y, grid_.y, bits);
          if (side == MaskSide::clear) {
            for (std::int64_t w = 0; w < words_; ++w) bits[w] = ~bits[w];
            bits[words_ - 1] &= rest;
          }
          if (joined == nullptr) continue;
          for (std::int64_t w = 0; w < words_; ++w) joined[w] |= bits[w];
        }
      }
      const std::uint64_t* bits = band_bits(band);
      std::uint32_t* rank = ranks_.data() + band * words_;
      std::uint64_t before = 0;
      for (std::int64_t w = 0; w < words_; ++w) {
        rank[w] = runs;
        runs += static_cast<std::uint32_t>(std::popcount(starts_of(bits[w], before)));
        before = bits[w];
      }
    }
  }
  slab.runs = runs;
}

void ComponentRuns::unite(Slab& slab, Connectivity connectivity, const JobContext& context) {
  slab.piece = Scratch<std::uint32_t>(slab.runs, Pages::huge);
  std::uint32_t* const parent = slab.piece.data();
  for (std::uint32_t i = 0; i < slab.runs; ++i) parent[i] = i;
  for (std::int64_t bz = slab.begin; bz < slab.end; ++bz) {
    if (context.stop_requested()) return;
    for (std::int64_t bx = 0; bx < bands_.x; ++bx) {
      unite_bands(bz, bx, true, bz > slab.begin, connectivity,
                  [&](std::uint32_t a, std::uint32_t b) { link(parent, a, b); });
    }
  }
  // The run that a run links to comes before it, so it has its number already.
  std::uint32_t pieces = 0;
  for (std::uint32_t i = 0; i < slab.runs; ++i) {
    parent[i] = parent[i] == i ? pieces++ : parent[parent[i]];
  }
  slab.pieces = pieces;
  if (joined_.count() > 0) find_first_pixels(slab);
}

// Finds the first pixel of each piece: runs come in the order of bands, which is not that of
// pixels. A run that goes on in the next word is looked at once more there.
void ComponentRuns::find_first_pixels(Slab& slab) const {
  slab.first.assign(slab.pieces, std::numeric_limits<std::uint64_t>::max());
  // The first layer of bands that a piece is in: later ones have later pixels only.
  std::vector<std::int32_t> layer(slab.pieces, -1);
  const std::uint32_t* const piece_of = slab.piece.data();
  for (std::int64_t bz = slab.begin; bz < slab.end; ++bz) {
    const auto here = static_cast<std::int32_t>(bz - slab.begin);
    for (std::int64_t bx = 0; bx < bands_.x; ++bx) {
      const std::int64_t band = bz * bands_.x + bx;
      const std::uint64_t* bits = band_bits(band);
      const std::int64_t row = bz * rows_.z * grid_.x + bx * rows_.x;
      // The rows of the band in the order of pixels; at the end of the image some are missing.
      std::array<std::int64_t, 4> rows{};
      std::size_t many = 0;
      for (std::int64_t z = 0; z < rows_.z && bz * rows_.z + z < grid_.z; ++z) {
        for (std::int64_t x = 0; x < rows_.x && bx * rows_.x + x < grid_.x; ++x) {
          rows[many++] = row + z * grid_.x + x;
        }
      }
      std::uint64_t before = 0;
      for (std::int64_t w = 0; w < words_; ++w) {
        std::uint64_t left = bits[w];
        // The first run goes on from the word before, or is the next one.
        std::uint32_t at = ranks(band)[w] - static_cast<std::uint32_t>(before >> 63U & left);
        before = left;
        while (left != 0) {
          const std::uint64_t begin = left & (~left + 1);
          const std::uint64_t run = left & ~(left + begin);
          left &= ~run;
          const std::uint32_t piece = piece_of[at++];
          if (layer[piece] < 0) layer[piece] = here;
          if (layer[piece] != here) continue;
          std::uint64_t& first = slab.first[piece];
          for (std::size_t r = 0; r < many; ++r) {
            const std::uint64_t own = row_bits(rows[r])[w] & run;
            if (own == 0) continue;
            first = std::min(first, static_cast<std::uint64_t>(rows[r] * grid_.y + 64 * w +
                                                               std::countr_zero(own)));
          }
        }
      }
    }
  }
}

// Joins slabs and numbers what there is.
Status ComponentRuns::number(Connectivity connectivity) {
  std::uint64_t pieces = 0;
  for (Slab& slab : slabs_) {
    slab.offset = pieces;
    pieces += slab.pieces;
  }
  if (pieces > kMostComponents) {
    return Error{"has more than 4294967295 components", "mask",
                 "smooth it, or choose a part of it"};
  }
  DisjointSets sets(pieces);
  for (std::size_t s = 1; s < slabs_.size(); ++s) {
    const Slab& slab = slabs_[s];
    const Slab& other = slabs_[s - 1];
    for (std::int64_t bx = 0; bx < bands_.x; ++bx) {
      unite_bands(slab.begin, bx, false, true, connectivity, [&](std::uint32_t a, std::uint32_t b) {
        sets.unite(static_cast<std::uint32_t>(slab.offset + slab.piece.data()[a]),
                   static_cast<std::uint32_t>(other.offset + other.piece.data()[b]));
      });
    }
  }
  numbers_.resize(pieces);
  for (std::uint32_t i = 0; i < pieces; ++i) {
    // The one that stands for a set comes first.
    const std::uint32_t root = sets.find(i);
    numbers_[i] = root == i ? ++count_ : numbers_[root];
  }
  if (joined_.count() > 0) number_by_first_pixel(numbers_);
  return {};
}

void ComponentRuns::number_by_first_pixel(const std::vector<std::uint32_t>& roots) {
  std::vector<std::uint64_t> first(static_cast<std::size_t>(count_) + 1,
                                   std::numeric_limits<std::uint64_t>::max());
  for (const Slab& slab : slabs_) {
    for (std::uint32_t i = 0; i < slab.pieces; ++i) {
      std::uint64_t& its = first[roots[slab.offset + i]];
      its = std::min(its, slab.first[i]);
    }
  }
  // Marks each first pixel by a bit: the number of a piece is the count of marks before its own.
  const auto words = static_cast<std::size_t>((grid_.count() + 63) / 64);
  std::vector<std::uint64_t> marked(words);
  for (std::uint32_t i = 1; i <= count_; ++i) {
    marked[first[i] >> 6U] |= std::uint64_t{1} << (first[i] & 63U);
  }
  std::vector<std::uint32_t> before(words);
  std::uint32_t sum = 0;
  for (std::size_t w = 0; w < words; ++w) {
    before[w] = sum;
    sum += static_cast<std::uint32_t>(std::popcount(marked[w]));
  }
  std::vector<std::uint32_t> number(first.size(), 0);
  for (std::uint32_t i = 1; i <= count_; ++i) {
    const std::uint64_t below = (std::uint64_t{1} << (first[i] & 63U)) - 1;
    const std::uint64_t w = first[i] >> 6U;
    number[i] = before[w] + static_cast<std::uint32_t>(std::popcount(marked[w] & below)) + 1;
  }
  for (std::uint32_t& label : numbers_) label = number[label];
}

Result<ComponentRuns> ComponentRuns::of(std::span<const std::uint8_t> mask, const Size3& size,
                                        MaskSide side, Connectivity connectivity,
                                        const JobContext& context) {
  ComponentRuns out;
  out.size_ = size;
  // Treat the rows of a single slice as slices of one row: the same threads can share them.
  out.grid_ = size.z == 1 ? Size3{size.x, 1, size.y} : size;
  if (size.count() == 0) return out;
  const bool corners = connectivity == Connectivity::corners;
  out.rows_ = {corners ? 2 : 1, corners && out.grid_.x > 1 ? 2 : 1, 1};
  out.bands_ = {(out.grid_.z + out.rows_.z - 1) / out.rows_.z,
                (out.grid_.x + out.rows_.x - 1) / out.rows_.x, 1};
  out.words_ = (out.grid_.y + 63) / 64;
  const std::int64_t bands = out.bands_.z * out.bands_.x;
  out.bits_ = Scratch<std::uint64_t>(out.grid_.z * out.grid_.x * out.words_, Pages::huge);
  if (corners) out.joined_ = Scratch<std::uint64_t>(bands * out.words_, Pages::huge);
  out.ranks_ = Scratch<std::uint32_t>(bands * out.words_, Pages::huge);
  out.slab_bands_ = bands_of_slab(out.bands_, size.count());
  for (std::int64_t begin = 0; begin < out.bands_.z; begin += out.slab_bands_) {
    Slab slab;
    slab.begin = begin;
    slab.end = std::min(out.bands_.z, begin + out.slab_bands_);
    out.slabs_.push_back(std::move(slab));
  }
  const bool done = parallel_items(static_cast<std::int64_t>(out.slabs_.size()), thread_count(),
                                   context, "components", [&](std::int64_t i, int) {
                                     Slab& slab = out.slabs_[static_cast<std::size_t>(i)];
                                     out.pack(mask, side, slab, context);
                                     if (!context.stop_requested())
                                       out.unite(slab, connectivity, context);
                                   });
  if (!done) return cancelled_error();
  if (Status ok = out.number(connectivity); !ok) return ok.error();
  return out;
}

void ComponentRuns::paint(std::int64_t z, std::int64_t x, std::uint32_t* out,
                          PaintedBand& painted) const {
  const std::int64_t row = row_of(z, x);
  const std::int64_t band = band_of(row);
  if (painted.band != band) {
    const Slab& slab = slab_of(band);
    const std::uint32_t first = ranks(band)[0];
    const std::int64_t bands = bands_.z * bands_.x;
    const bool last = band + 1 == bands || &slab_of(band + 1) != &slab;
    const std::uint32_t end = last ? slab.runs : ranks(band + 1)[0];
    painted.labels.resize(end - first);
    for (std::uint32_t i = first; i < end; ++i) painted.labels[i - first] = label_of(slab, i);
    painted.band = band;
  }
  run_kernels().paint({row_bits(row), band_bits(band), words_, painted.labels.data(), out});
}

std::vector<std::uint8_t> ComponentRuns::at_border() const {
  std::vector<std::uint8_t> at(static_cast<std::size_t>(count_) + 1, 0);
  for (std::int64_t z = 0; z < size_.z; ++z) {
    const bool whole_slice = size_.z > 1 && (z == 0 || z + 1 == size_.z);
    for (std::int64_t x = 0; x < size_.x; ++x) {
      const std::int64_t band = band_of(row_of(z, x));
      if (whole_slice || x == 0 || x + 1 == size_.x) {
        each_run(z, x, [&](std::int64_t, std::int64_t, std::uint32_t label) { at[label] = 1; });
        continue;
      }
      const std::uint64_t* bits = row_bits(row_of(z, x));
      const std::int64_t y = size_.y - 1;
      if ((bits[0] & 1U) != 0) at[label_of(slab_of(band), run_at(band, 0))] = 1;
      if ((bits[y >> 6U] >> (static_cast<unsigned>(y) & 63U) & 1U) != 0) {
        at[label_of(slab_of(band), run_at(band, y))] = 1;
      }
    }
  }
  return at;
}

}  // namespace aprscope
