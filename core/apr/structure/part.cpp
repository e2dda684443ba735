#include "core/apr/structure/part.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace aprscope {
namespace {

Error no_memory() {
  return {"not enough memory for a part of the particles", "particles", "close other data"};
}

// Rows of a part as they are added, level by level.
class Builder {
 public:
  explicit Builder(const Size3& size) : size_(size) { xz_end_.push_back(0); }

  [[nodiscard]] std::uint64_t count() const { return y_.size(); }
  void reserve(std::uint64_t cells) {
    y_.reserve(cells);
    values_.reserve(cells);
  }
  void add(std::uint16_t y, float value) {
    y_.push_back(y);
    values_.push_back(value);
  }
  void end_row() { xz_end_.push_back(y_.size()); }
  // Levels below this one, which the part has and which hold nothing.
  void leave_empty(int level) {
    for (int l = 1; l < level; ++l) {
      const Size3 grid = level_grid(size_, finest_level(size_), l);
      for (std::int64_t r = 0; r < grid.z * grid.x; ++r) end_row();
    }
  }

  // Rows of slices of a level, as they are.
  void copy(const LevelSlices& rows) {
    const std::uint64_t from = rows.ends.front();
    const std::uint64_t at = y_.size();
    y_.insert(y_.end(), rows.y.begin(), rows.y.end());
    values_.insert(values_.end(), rows.values.begin(), rows.values.end());
    for (const std::uint64_t end : rows.ends.subspan(1)) xz_end_.push_back(end - from + at);
  }

  Status finish(AprPart& out) {
    auto cells = LinearAccess::create(size_, finest_level(size_), 1, finest_level(size_),
                                      std::move(y_), std::move(xz_end_));
    if (!cells) return cells.error();
    auto access = AprAccess::create(*std::move(cells));
    if (!access) return access.error();
    out.access = *std::move(access);
    out.values = std::move(values_);
    return {};
  }

 private:
  Size3 size_;
  std::vector<std::uint16_t> y_;
  std::vector<std::uint64_t> xz_end_;
  std::vector<float> values_;
};

// Slices [begin, end) of a level that is in memory.
LevelSlices slices_of(const LinearAccess& cells, std::span<const float> values, int level,
                      std::int64_t begin, std::int64_t end) {
  const std::int64_t rows = cells.grid(level).x;
  const std::uint64_t first = cells.first_row(level) + static_cast<std::uint64_t>(begin * rows);
  const auto ends =
      cells.xz_end().subspan(first - 1, static_cast<std::size_t>((end - begin) * rows) + 1);
  const std::uint64_t count = ends.back() - ends.front();
  return {ends, cells.y().subspan(ends.front(), count), values.subspan(ends.front(), count)};
}

// A cell of a row that is put together from several sources.
struct RowCell {
  std::uint16_t y = 0;
  float value = 0.0F;
  std::uint64_t index = 0;
  bool own = false;
};

void keep(std::vector<AprPart::Run>& runs, std::uint64_t from, std::uint64_t to,
          std::uint64_t count) {
  if (count == 0) return;
  if (!runs.empty() && runs.back().from + runs.back().count == from &&
      runs.back().to + runs.back().count == to) {
    runs.back().count += count;
  } else {
    runs.push_back({from, to, count});
  }
}

// Adds the origin of one particle: repeats of one follow each other, and so do those that are
// particles of the whole.
void list_origin(std::vector<AprPart::Origin>& origins, std::uint64_t from, std::uint64_t to) {
  if (!origins.empty()) {
    AprPart::Origin& last = origins.back();
    const bool again = last.to == to && (last.repeated || last.count == 1);
    if (again || (!last.repeated && last.to + last.count == to)) {
      last.repeated = again;
      ++last.count;
      return;
    }
  }
  origins.push_back({from, to, 1, false});
}

// The cells of level `coarsest` in row (z, x): its particles, and coarser ones repeated.
void gather_row(const LinearAccess& cells, std::span<const float> values, int coarsest,
                std::int64_t z, std::int64_t x, std::vector<RowCell>& row) {
  row.clear();
  const std::int64_t ny = cells.grid(coarsest).y;
  for (int l = cells.level_first(); l <= coarsest; ++l) {
    const int shift = coarsest - l;
    const ParticleRange range = cells.row(l, z >> shift, x >> shift);
    for (std::uint64_t i = range.begin; i < range.end; ++i) {
      const std::int64_t first = std::int64_t{cells.y()[i]} << shift;
      const std::int64_t end = std::min(ny, first + (std::int64_t{1} << shift));
      for (std::int64_t y = first; y < end; ++y) {
        row.push_back({static_cast<std::uint16_t>(y), values[i], i, l == coarsest});
      }
    }
  }
  std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.y < b.y; });
}

Result<AprPart> make_slab(const SlabSource& source, int coarsest, const Size3& size,
                          std::int64_t begin, std::int64_t keep_begin, std::int64_t keep_end) {
  const int level_max = source.level_max;
  AprPart out;
  out.level_shift = level_max - finest_level(size);
  Builder part(size);
  part.leave_empty(coarsest - out.level_shift);
  part.reserve(source.expected_cells);
  std::vector<RowCell> row;
  for (int l = coarsest; l <= level_max; ++l) {
    const Size3 grid = level_grid(size, level_max, l);
    const std::int64_t z0 = begin >> (level_max - l);
    const std::int64_t keep0 = keep_begin >> (level_max - l);
    const std::int64_t keep1 = ((keep_end - 1) >> (level_max - l)) + 1;
    if (l > coarsest) {
      const std::uint64_t from = part.count();
      auto rows = source.slices(l, z0, z0 + grid.z);
      if (!rows) return rows.error();
      part.copy(*rows);
      if (source.origins) {
        out.origins.push_back({from, rows->ends.front(), part.count() - from, false});
      }
      const auto first_of = [&](std::int64_t z) {
        return rows->ends[static_cast<std::size_t>((z - z0) * grid.x)];
      };
      keep(out.kept, from + first_of(keep0) - first_of(z0), first_of(keep0),
           first_of(keep1) - first_of(keep0));
      continue;
    }
    for (std::int64_t z = z0; z < z0 + grid.z; ++z) {
      for (std::int64_t x = 0; x < grid.x; ++x) {
        gather_row(*source.coarse, source.coarse_values, coarsest, z, x, row);
        for (const RowCell& cell : row) {
          if (cell.own && z >= keep0 && z < keep1) keep(out.kept, part.count(), cell.index, 1);
          if (source.origins) list_origin(out.origins, part.count(), cell.index);
          part.add(cell.y, cell.value);
        }
        part.end_row();
      }
    }
  }
  if (Status made = part.finish(out); !made) return made.error();
  return out;
}

Result<AprPart> make_box(const AprAccess& access, std::span<const float> values, int coarsest,
                         const Size3& size, const Index3& begin) {
  const LinearAccess& cells = access.particles();
  const int level_max = access.level_max();
  AprPart out;
  out.level_shift = level_max - finest_level(size);
  Builder part(size);
  part.leave_empty(coarsest - out.level_shift);
  std::vector<RowCell> row;
  for (int l = coarsest; l <= level_max; ++l) {
    const int shift = level_max - l;
    const Size3 grid = level_grid(size, level_max, l);
    const std::int64_t first = begin.y >> shift;
    for (std::int64_t r = 0; r < grid.z * grid.x; ++r) {
      const std::int64_t z = (begin.z >> shift) + r / grid.x;
      const std::int64_t x = (begin.x >> shift) + r % grid.x;
      if (l == coarsest) {
        gather_row(cells, values, coarsest, z, x, row);
      } else {
        row.clear();
        const ParticleRange range = cells.row(l, z, x);
        for (std::uint64_t i = range.begin; i < range.end; ++i) {
          row.push_back({cells.y()[i], values[i], i, true});
        }
      }
      for (const RowCell& cell : row) {
        const std::int64_t y = cell.y - first;
        if (y < 0 || y >= grid.y) continue;
        if (cell.own) keep(out.kept, part.count(), cell.index, 1);
        part.add(static_cast<std::uint16_t>(y), cell.value);
      }
      part.end_row();
    }
  }
  if (Status made = part.finish(out); !made) return made.error();
  return out;
}

Result<AprPart> make_coarse(const LinearAccess& cells, std::span<const float> values,
                            const LinearAccess& interior, std::span<const float> means,
                            int finest) {
  const Size3 size = level_grid(cells.size(), cells.level_max(), finest);
  AprPart out;
  out.level_shift = 0;
  Builder part(size);
  for (int l = 1; l < finest; ++l) part.copy(slices_of(cells, values, l, 0, cells.grid(l).z));
  keep(out.kept, 0, 0, part.count());
  std::vector<RowCell> row;
  for (std::int64_t z = 0; z < size.z; ++z) {
    for (std::int64_t x = 0; x < size.x; ++x) {
      row.clear();
      const auto add = [&](const LinearAccess& from, std::span<const float> of) {
        const ParticleRange range = from.row(finest, z, x);
        for (std::uint64_t i = range.begin; i < range.end; ++i) {
          row.push_back({from.y()[i], of[i], i, false});
        }
      };
      add(cells, values);
      add(interior, means);
      std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.y < b.y; });
      for (const RowCell& cell : row) part.add(cell.y, cell.value);
      part.end_row();
    }
  }
  if (Status made = part.finish(out); !made) return made.error();
  return out;
}

}  // namespace

Result<AprPart> slab_of(const SlabSource& source, int coarsest, std::int64_t begin,
                        std::int64_t end, std::int64_t keep_begin, std::int64_t keep_end) {
  const int level_max = source.level_max;
  const std::int64_t side = std::int64_t{1} << (level_max - coarsest);
  const std::int64_t nz = source.size.z;
  const auto bound = [&](std::int64_t z) { return z == nz || z % side == 0; };
  const Size3 size{end - begin, source.size.x, source.size.y};
  if (coarsest < 1 || coarsest > level_max || begin < 0 || begin >= end || end > nz ||
      keep_begin < begin || keep_begin >= keep_end || keep_end > end || begin % side != 0 ||
      !bound(end) || !bound(keep_begin) || !bound(keep_end) ||
      coarsest - (level_max - finest_level(size)) < 1) {
    return Error{"the slices " + std::to_string(begin) + " to " + std::to_string(end) +
                     " cannot be cut out at level " + std::to_string(coarsest),
                 "particles", "cut at cells of that level"};
  }
  try {
    return make_slab(source, coarsest, size, begin, keep_begin, keep_end);
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

Result<AprPart> slab_of(const AprAccess& access, std::span<const float> values, int coarsest,
                        std::int64_t begin, std::int64_t end, std::int64_t keep_begin,
                        std::int64_t keep_end) {
  const LinearAccess& cells = access.particles();
  const auto slices = [&](int level, std::int64_t z0, std::int64_t z1) -> Result<LevelSlices> {
    return slices_of(cells, values, level, z0, z1);
  };
  return slab_of({access.size(), access.level_max(), &cells, values, slices}, coarsest, begin, end,
                 keep_begin, keep_end);
}

Result<AprPart> box_of(const AprAccess& access, std::span<const float> values, int coarsest,
                       const Index3& begin, const Index3& end) {
  const int level_max = access.level_max();
  const Size3 size{end.z - begin.z, end.x - begin.x, end.y - begin.y};
  const bool known = coarsest >= 1 && coarsest <= level_max;
  const std::int64_t side = known ? std::int64_t{1} << (level_max - coarsest) : 1;
  const auto fits = [side](std::int64_t from, std::int64_t to, std::int64_t n) {
    return from >= 0 && from < to && to <= n && from % side == 0 && (to == n || to % side == 0);
  };
  const Size3& n = access.size();
  if (!known || !fits(begin.z, end.z, n.z) || !fits(begin.x, end.x, n.x) ||
      !fits(begin.y, end.y, n.y) || coarsest - (level_max - finest_level(size)) < 1) {
    return Error{"the box cannot be cut out at level " + std::to_string(coarsest), "particles",
                 "cut at cells of that level"};
  }
  try {
    return make_box(access, values, coarsest, size, begin);
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

Result<AprPart> coarse_part_of(const AprAccess& access, std::span<const float> values,
                               std::span<const float> tree, int finest) {
  return coarse_part_of(access.particles(), values, access.tree(), tree, finest);
}

Result<AprPart> coarse_part_of(const LinearAccess& cells, std::span<const float> values,
                               const LinearAccess& interior, std::span<const float> means,
                               int finest) {
  try {
    return make_coarse(cells, values, interior, means, finest);
  } catch (const std::bad_alloc&) {
    return no_memory();
  }
}

}  // namespace aprscope
