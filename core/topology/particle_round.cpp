#include "core/topology/particle_round.hpp"

namespace aprscope {

void RoundWalk::open_row(int level, std::int64_t z, std::int64_t x) {
  level_ = level;
  const Size3& grid = cells_.grid(level);
  width_ = grid.y;
  const bool divides = level >= tree_.level_first() && level <= tree_.level_last();
  for (std::int64_t dz = -1; dz <= 1; ++dz) {
    for (std::int64_t dx = -1; dx <= 1; ++dx) {
      Row& row = rows_[static_cast<std::size_t>(3 * (dz + 1) + dx + 1)];
      row = {};
      row.z = z + dz;
      row.x = x + dx;
      row.inside = row.z >= 0 && row.z < grid.z && row.x >= 0 && row.x < grid.x;
      if (!row.inside) continue;
      const ParticleRange particles = cells_.row(level, row.z, row.x);
      row.particles = {particles.begin, particles.end};
      if (divides) {
        const ParticleRange nodes = tree_.row(level, row.z, row.x);
        row.divided = {nodes.begin, nodes.end};
      }
      if (level > cells_.level_first()) {
        const ParticleRange above = cells_.row(level - 1, row.z >> 1, row.x >> 1);
        row.above = {above.begin, above.end};
      }
    }
  }
}

const ParticleRound& RoundWalk::look(std::int64_t y) {
  round_.same = round_.larger = round_.outside = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) look_along(r, y);
  return round_;
}

void RoundWalk::look_along(std::size_t r, std::int64_t y) {
  Row& row = rows_[r];
  row.particles.walk_to(cells_.y(), y - 1);
  row.divided.walk_to(tree_.y(), y - 1);
  row.above.walk_to(cells_.y(), (y - 1) >> 1);
  Lane particles = row.particles;
  Lane divided = row.divided;
  for (std::int64_t dy = -1; dy <= 1; ++dy) {
    const std::int64_t at = y + dy;
    const auto number = static_cast<int>(3 * r) + static_cast<int>(dy) + 1;
    if (number == kNoStep) {
      ++particles.at;  // the cell itself
      continue;
    }
    const std::uint32_t step = 1U << number;
    std::uint32_t& particle = round_.particle[static_cast<std::size_t>(number)];
    if (!row.inside || at < 0 || at >= width_) {
      round_.outside |= step;
    } else if (particles.has(cells_.y(), at)) {
      round_.same |= step;
      particle = static_cast<std::uint32_t>(particles.at++);
    } else if (divided.has(tree_.y(), at)) {
      ++divided.at;
    } else {
      round_.larger |= step;
      particle = larger_at(row, at);
    }
  }
}

// The particle of a larger side that covers a cell which is neither a particle nor divided.
std::uint32_t RoundWalk::larger_at(Row& row, std::int64_t y) const {
  if (y >= row.begin && y < row.end) return row.larger;
  Lane above = row.above;
  above.walk_to(cells_.y(), y >> 1);
  if (above.has(cells_.y(), y >> 1)) {
    row.begin = y >> 1 << 1;
    row.end = row.begin + 2;
    row.larger = static_cast<std::uint32_t>(above.at);
    return row.larger;
  }
  for (int up = 2; level_ - up >= cells_.level_first(); ++up) {
    const auto found = cells_.find(level_ - up, row.z >> up, row.x >> up, y >> up);
    if (!found) continue;
    row.begin = y >> up << up;
    row.end = row.begin + (std::int64_t{1} << up);
    row.larger = static_cast<std::uint32_t>(*found);
    return row.larger;
  }
  return 0;  // cells cover the image: see AprAccess
}

}  // namespace aprscope
