#include "core/apr/convert/cell_slabs.hpp"

#include <algorithm>
#include <utility>

#include "core/apr/convert/cell_lists.hpp"

namespace aprscope {

ParticleRange CellSlab::cells(int level) const {
  const Level& l = at(level);
  const std::int64_t last = l.first_row + (l.end - l.begin) * l.grid.x;
  return {lists_.ends.data()[l.first_row - 1], lists_.ends.data()[last - 1]};
}

std::span<const std::uint64_t> CellSlab::ends(int level) const {
  const Level& l = at(level);
  return {lists_.ends.data() + l.first_row, static_cast<std::size_t>((l.end - l.begin) * l.grid.x)};
}

void CellSlabs::add(const LevelBits& bits) {
  const int level = level_first_ + static_cast<int>(levels_.size());
  Level made{bits, level_grid(size_, level_max_, level), {}};
  made.before.push_back(levels_.empty() ? 0 : levels_.back().before.back());
  for (const std::uint64_t n : count_slices(bits, made.grid)) {
    made.before.push_back(made.before.back() + n);
  }
  levels_.push_back(std::move(made));
}

CellSlabs CellSlabs::particles(std::shared_ptr<const CellSet> set, const Size3& size,
                               int level_max) {
  CellSlabs out(size, level_max, 1);
  for (int l = 1; l < level_max; ++l) out.add({&set->cells[static_cast<std::size_t>(l)]});
  out.add({&set->refined, true});
  out.set_ = std::move(set);
  return out;
}

CellSlabs CellSlabs::interior(std::shared_ptr<const CellSet> set, const Size3& size,
                              int level_max) {
  CellSlabs out(size, level_max, 0);
  out.own_ = std::make_shared<const std::vector<BitGrid>>(interior_grids(*set, size, level_max));
  for (const BitGrid& grid : *out.own_) out.add({&grid});
  out.add({&set->refined});
  out.set_ = std::move(set);
  return out;
}

std::optional<CellSlab> CellSlabs::list(int first, int last, std::int64_t begin, std::int64_t end,
                                        const JobContext& context) const {
  CellSlab out;
  out.level_max_ = level_max_;
  out.level_first_ = first;
  std::vector<BitSlices> slices;
  std::int64_t rows = 1;
  for (int l = first; l <= last; ++l) {
    const int shift = level_max_ - l;
    const Level& level = at(l);
    const std::int64_t from = begin >> shift;
    const std::int64_t to = std::min(level.grid.z, ((end - 1) >> shift) + 1);
    slices.push_back({level.bits, level.grid, from, to});
    out.levels_.push_back({level.grid, from, to, rows});
    rows += (to - from) * level.grid.x;
  }
  auto lists = list_bits(std::move(slices), context);
  if (!lists) return std::nullopt;
  out.lists_ = std::move(*lists);
  return out;
}

std::optional<LinearAccess> CellSlabs::whole(int first, int last, const JobContext& context) const {
  std::vector<BitSlices> slices;
  for (int l = first; l <= last; ++l) slices.push_back({at(l).bits, at(l).grid, 0, at(l).grid.z});
  auto lists = list_bits(std::move(slices), context);
  if (!lists) return std::nullopt;
  return LinearAccess::of_ordered(size_, level_max_, first, last, std::move(lists->y),
                                  std::move(lists->ends));
}

}  // namespace aprscope
