#include "core/topology/particle_round.hpp"

#include <algorithm>

namespace aprscope {
namespace {

// Of 27 steps those that have one before them in their row.
constexpr std::uint32_t kNotFirst = 0b110110110110110110110110110U;

}  // namespace

void RoundWalk::open_row(int level, std::int64_t z, std::int64_t x, std::int64_t first) {
  level_ = level;
  next_ = -1;
  width_ = cells_.grid(level).y;
  const bool divides = level >= tree_.level_first() && level <= tree_.level_last();
  for (std::int64_t i = 0; i < 9; ++i) {
    Row& row = rows_[static_cast<std::size_t>(i)];
    row = {};
    row.z = z + i / 3 - 1;
    row.x = x + i % 3 - 1;
    open(row, level, divides, first - 1);
  }
}

void RoundWalk::open(Row& row, int level, bool divides, std::int64_t first) const {
  const Size3& grid = cells_.grid(level);
  row.inside = row.z >= 0 && row.z < grid.z && row.x >= 0 && row.x < grid.x;
  if (!row.inside) return;
  row.particles = {cells_.row(level, row.z, row.x), cells_.y(), first};
  if (divides) row.divided = {tree_.row(level, row.z, row.x), tree_.y(), first};
  if (level > cells_.level_first()) {
    row.above = {cells_.row(level - 1, row.z >> 1, row.x >> 1), cells_.y(), first >> 1};
  }
}

const ParticleRound& RoundWalk::look(std::int64_t y) {
  // Of particles side by side each adds one column.
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
  const bool inside = y >= 0 && y < width_;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    Row& row = rows_[r];
    std::uint64_t* keys = round_.keys.data() + 3 * r;
    keys[0] = keys[1];
    keys[1] = keys[2];
    const std::uint32_t step = 1U << (3 * r + 2);
    if (!inside || !row.inside) {
      round_.outside |= step;
    } else if (y < row.end) {
      round_.larger |= step;
      keys[2] = row.larger;
    } else if (row.particles.walk_to(cells_.y(), y)) {
      round_.same |= step;
      keys[2] = key_of(row.particles.at);
    } else if (!row.divided.walk_to(tree_.y(), y)) {
      round_.larger |= step;
      keys[2] = larger_at(row, y);
    }
  }
}

// The particle of a larger side that covers a cell which is neither a particle nor divided.
std::uint64_t RoundWalk::larger_at(Row& row, std::int64_t y) const {
  if (row.above.walk_to(cells_.y(), y >> 1)) {
    row.end = (y >> 1 << 1) + 2;
    row.larger = key_of(row.above.at);
    return row.larger;
  }
  for (int up = 2; level_ - up >= cells_.level_first(); ++up) {
    const auto found = cells_.find(level_ - up, row.z >> up, row.x >> up, y >> up);
    if (!found) continue;
    row.end = ((y >> up) + 1) << up;
    row.larger = key_of(*found);
    break;
  }
  return row.larger;  // there is one: cells cover the image, see AprAccess
}

}  // namespace aprscope
