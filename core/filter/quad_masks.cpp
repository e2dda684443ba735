#include "core/filter/quad_masks.hpp"

#include <algorithm>

namespace aprscope::detail {
namespace {

// Spreads bits by `reach` to both sides, as far as the n words go.
void spread(std::uint64_t* words, std::int64_t n, std::int64_t reach) {
  // The reach doubles with each step: a step spreads the bits that are spread already.
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

std::int64_t bit_words(std::int64_t bits) { return (bits + 63) / 64; }

}  // namespace

std::uint64_t word_mask(std::int64_t begin, std::int64_t end, std::int64_t w) {
  const std::int64_t low = std::clamp<std::int64_t>(begin - 64 * w, 0, 64);
  const std::int64_t high = std::clamp<std::int64_t>(end - 64 * w, 0, 64);
  if (low >= high) return 0;
  const std::uint64_t up_to = high == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << high) - 1;
  return up_to & ~((std::uint64_t{1} << low) - 1);
}

void QuadMasks::reserve(const Slab& largest) {
  const std::int64_t words = largest.words() + 2 * ((largest.halo_blocks() + 7) / 8);
  const std::int64_t own_x = largest.x1 - largest.x0;
  const std::int64_t own_z = largest.z1 - largest.z0;
  const std::int64_t near_x = own_x + 2 * largest.halo_x();
  const std::int64_t wide_x = std::min(largest.quads_x(), near_x);
  const std::int64_t wide_z = std::min(largest.quads_z(), own_z + 2 * largest.halo_z());
  const auto make_room = [](Words& w, std::int64_t n) { w.reserve(static_cast<std::size_t>(n)); };
  make_room(active_, own_z * own_x * words);
  make_room(needed_, wide_z * wide_x * words);
  make_room(active_rows_, own_z * bit_words(own_x));
  make_room(needed_rows_, wide_z * bit_words(wide_x));
  make_room(near_, near_x * words);
  make_room(nearer_, near_x * words);
}

void QuadMasks::open(const Slab& slab) {
  slab_ = slab;
  const std::int64_t halo = (slab.halo_blocks() + 7) / 8;
  before_ = slab.b0 > 0 ? halo : 0;
  words_ = before_ + slab.words() + (slab.b1 * kBlock < slab.grid.y ? halo : 0);
  first_word_ = slab.b0 / 8 - before_;
  own_ = slab.x1 - slab.x0;
  own_words_ = bit_words(own_);
  first_x_ = slab.first_x();
  wide_ = slab.last_x() - first_x_;
  wide_words_ = bit_words(wide_);
  const std::int64_t planes = slab.z1 - slab.z0;
  const std::int64_t deep = slab.last_z() - slab.first_z();
  active_.assign(static_cast<std::size_t>(planes * own_ * words_), 0);
  active_rows_.assign(static_cast<std::size_t>(planes * own_words_), 0);
  needed_.resize(static_cast<std::size_t>(deep * wide_ * words_));
  needed_rows_.assign(static_cast<std::size_t>(deep * wide_words_), 0);
}

// Unites the active pairs of the planes that need plane z and spreads them along x: near_ holds the
// rows from slab.x0 − halo_x on. False if no pair is active.
bool QuadMasks::gather(std::int64_t z) {
  const std::int64_t begin = std::max(slab_.z0, z - slab_.halo_z());
  const std::int64_t end = std::min(slab_.z1, z + slab_.halo_z() + 1);
  const auto any_in = [&](std::int64_t plane) {
    const auto* const rows = active_rows_.data() + (plane - slab_.z0) * own_words_;
    return std::any_of(rows, rows + own_words_, [](std::uint64_t w) { return w != 0; });
  };
  const std::int64_t line = own_ * words_;
  const std::int64_t all = line + 2 * slab_.halo_x() * words_;
  bool any = false;
  for (std::int64_t k = begin; k < end; ++k) {
    if (!any_in(k)) continue;
    if (!any) near_.assign(static_cast<std::size_t>(all), 0);
    any = true;
    const std::uint64_t* const from = active_.data() + (k - slab_.z0) * line;
    for (std::int64_t i = 0; i < line; ++i) near_[static_cast<std::size_t>(i)] |= from[i];
  }
  if (!any) return false;
  // Unites each row of near_ with the 2 · halo_x rows before it, in doubling steps.
  const std::int64_t count = 2 * slab_.halo_x() + 1;
  for (std::int64_t done = 1; done < count;) {
    const std::int64_t step = std::min(done, count - done);
    nearer_ = near_;
    const std::int64_t shift = step * words_;
    const std::uint64_t* const from = nearer_.data();
    std::uint64_t* const to = near_.data() + shift;
    for (std::int64_t i = 0; i < all - shift; ++i) to[i] |= from[i];
    done += step;
  }
  return true;
}

void QuadMasks::find_needed() {
  const std::int64_t reach = (slab_.radius.y + 1) / 2;
  for (std::int64_t z = slab_.first_z(); z < slab_.last_z(); ++z) {
    if (!gather(z)) continue;
    const std::uint64_t* from = near_.data() + (first_x_ - slab_.x0 + slab_.halo_x()) * words_;
    std::uint64_t* to = needed_.data() + (z - slab_.first_z()) * wide_ * words_;
    for (std::int64_t x = 0; x < wide_; ++x, from += words_, to += words_) {
      std::uint64_t any = 0;
      for (std::int64_t w = 0; w < words_; ++w) any |= to[w] = from[w];
      if (any == 0) continue;
      spread(to, words_, reach);
      set(needed_rows_, (z - slab_.first_z()) * wide_words_, x);
    }
  }
}

}  // namespace aprscope::detail
