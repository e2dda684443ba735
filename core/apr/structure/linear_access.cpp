#include "core/apr/structure/linear_access.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
#include "core/base/system.hpp"

namespace aprscope {

int finest_level(const Size3& size) {
  const std::int64_t largest = std::max({size.z, size.x, size.y});
  int level = 1;
  while ((std::int64_t{1} << level) < largest) ++level;
  return level;
}

Size3 level_grid(const Size3& size, int level_max, int level) {
  const int shift = level_max - level;
  const std::int64_t round = (std::int64_t{1} << shift) - 1;
  return {(size.z + round) >> shift, (size.x + round) >> shift, (size.y + round) >> shift};
}

std::uint64_t row_entries(const Size3& size, int level_max, int first, int last) {
  std::uint64_t entries = 1;
  for (int l = first; l <= last; ++l) {
    const Size3 grid = level_grid(size, level_max, l);
    entries += static_cast<std::uint64_t>(grid.z * grid.x);
  }
  return entries;
}

Result<LinearAccess> LinearAccess::create(Size3 size, int level_max, int level_first,
                                          int level_last, std::vector<std::uint16_t> y,
                                          std::vector<std::uint64_t> xz_end) {
  const auto bad = [](std::string what) {
    return Error{std::move(what), "particle structure", "the data is damaged or not an APR"};
  };
  if (size.z < 1 || size.x < 1 || size.y < 1 || size.z > 65536 || size.x > 65536 ||
      size.y > 65536) {
    return bad("a size is not between 1 and 65536");
  }
  if (level_max != finest_level(size)) {
    return bad("the finest level " + std::to_string(level_max) + " does not fit the size");
  }
  if (level_first < 0 || level_first > level_last || level_last > level_max) {
    return bad("the range of levels is not valid");
  }
  LinearAccess access(size, level_max, level_first, level_last);
  const Size3& last = access.grids_.back();
  const std::uint64_t rows =
      access.first_rows_.back() + static_cast<std::uint64_t>(last.z * last.x);
  if (xz_end.size() != rows) {
    return bad("there are " + std::to_string(xz_end.size()) + " row entries where " +
               std::to_string(rows) + " belong");
  }
  if (xz_end.front() != 0 || xz_end.back() != y.size()) {
    return bad("the rows do not cover the particles");
  }
  for (int l = level_first; l <= level_last; ++l) {
    const Size3& grid = access.grid(l);
    const std::uint64_t first = access.first_row(l);
    const auto count = static_cast<std::int64_t>(grid.z * grid.x);
    std::atomic<std::int64_t> offence{count};
    parallel_for(count, count < 4096 ? 1 : thread_count(), [&](std::int64_t r) {
      const std::uint64_t begin = xz_end[first + static_cast<std::uint64_t>(r) - 1];
      const std::uint64_t end = xz_end[first + static_cast<std::uint64_t>(r)];
      bool fine = begin <= end && end <= y.size();
      for (std::uint64_t i = begin; fine && i < end; ++i) {
        fine = y[i] < grid.y && (i == begin || y[i - 1] < y[i]);
      }
      if (!fine) {
        std::int64_t seen = offence.load();
        while (r < seen && !offence.compare_exchange_weak(seen, r)) {
        }
      }
    });
    if (offence.load() < count) {
      return bad("row (z " + std::to_string(offence.load() / grid.x) + ", x " +
                 std::to_string(offence.load() % grid.x) + ") of level " + std::to_string(l) +
                 " is out of order or out of range");
    }
  }
  access.hold(std::pair(std::move(y), std::move(xz_end)));
  return access;
}

LinearAccess LinearAccess::of_ordered(Size3 size, int level_max, int level_first, int level_last,
                                      Scratch<std::uint16_t> y, Scratch<std::uint64_t> xz_end) {
  LinearAccess access(size, level_max, level_first, level_last);
  access.hold(std::pair(std::move(y), std::move(xz_end)));
  return access;
}

LinearAccess::LinearAccess(Size3 size, int level_max, int level_first, int level_last)
    : size_(size), level_max_(level_max), level_first_(level_first), level_last_(level_last) {
  for (int l = level_first; l <= level_last; ++l) {
    grids_.push_back(level_grid(size, level_max, l));
    first_rows_.push_back(row_entries(size, level_max, level_first, l - 1));
  }
}

template <class Lists>
void LinearAccess::hold(Lists lists) {
  const auto held = std::make_shared<const Lists>(std::move(lists));
  const auto span_of = [](const auto& list) {
    return std::span(list.data(), static_cast<std::size_t>(std::ssize(list)));
  };
  y_ = span_of(held->first);
  xz_end_ = span_of(held->second);
  lists_ = held;
}

ParticleRange LinearAccess::level(int level) const {
  const Size3& g = grid(level);
  const std::uint64_t first = first_row(level);
  return {xz_end_[first - 1], xz_end_[first + static_cast<std::uint64_t>(g.z * g.x) - 1]};
}

std::optional<std::uint64_t> LinearAccess::find(int level, std::int64_t z, std::int64_t x,
                                                std::int64_t y) const {
  const ParticleRange range = row(level, z, x);
  const auto begin = y_.begin() + static_cast<std::ptrdiff_t>(range.begin);
  const auto end = y_.begin() + static_cast<std::ptrdiff_t>(range.end);
  const auto at = std::lower_bound(begin, end, y);
  if (at == end || *at != y) return std::nullopt;
  return static_cast<std::uint64_t>(at - y_.begin());
}

std::uint64_t LinearAccess::bytes() const {
  return y_.size() * sizeof(std::uint16_t) + xz_end_.size() * sizeof(std::uint64_t);
}

}  // namespace aprscope
