#include "core/topology/particle_round.hpp"

#include <algorithm>

namespace aprscope {
namespace {

// Of 27 steps, the ones with another step before them in their row.
constexpr std::uint32_t kNotFirst = 0b110110110110110110110110110U;

}  // namespace

void RoundWalk::open_row(int level, std::int64_t z, std::int64_t x, std::int64_t first) {
  next_ = -1;
  for (std::int64_t i = 0; i < 9; ++i) {
    rows_[static_cast<std::size_t>(i)].open(access_, level, z + i / 3 - 1, x + i % 3 - 1,
                                            first - 1);
  }
}

const ParticleRound& RoundWalk::look(std::int64_t y) {
  // Where particles are side by side, only one new column is to be added for each.
  for (std::int64_t column = std::max(y - 1, next_); column <= y + 1; ++column) add_column(column);
  next_ = y + 2;
  const std::uint64_t own = round_.keys[kNoStep];
  std::uint32_t earlier = 0;
  for (std::size_t i = 0; i < round_.keys.size(); ++i) {
    earlier |= static_cast<std::uint32_t>(round_.keys[i] < own) << i;
  }
  round_.earlier = earlier & (round_.same | round_.larger);
  return round_;
}

void RoundWalk::add_column(std::int64_t y) {
  round_.same = (round_.same & kNotFirst) >> 1;
  round_.larger = (round_.larger & kNotFirst) >> 1;
  round_.outside = (round_.outside & kNotFirst) >> 1;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    RowLanes& row = rows_[r];
    std::uint64_t* keys = round_.keys.data() + 3 * r;
    keys[0] = keys[1];
    keys[1] = keys[2];
    const std::uint32_t step = 1U << (3 * r + 2);
    switch (row.look(access_, y)) {
      case CellKind::particle:
        round_.same |= step;
        keys[2] = key_of(row.particle());
        break;
      case CellKind::larger:
        round_.larger |= step;
        keys[2] = key_of(row.larger());
        break;
      case CellKind::outside:
        round_.outside |= step;
        break;
      case CellKind::divided:
        break;
    }
  }
}

}  // namespace aprscope
