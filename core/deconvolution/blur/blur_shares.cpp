#include "core/deconvolution/blur/blur_shares.hpp"

#include <algorithm>
#include <utility>

namespace aprscope {
namespace {

using Run = BlurShares::Run;
using Runs = std::vector<Run>;

// Levels above the finest that are shared slice by slice: cells of eight slices begin in one share
// with all that is in them.
constexpr int kSharedLevels = 3;

int coarsest_level(const AprAccess& access) {
  return std::max(1, access.level_max() - kSharedLevels);
}

// Index of the first cell of a level from plane z on.
std::uint64_t first_in_plane(const LinearAccess& cells, int level, std::int64_t z) {
  return z < cells.grid(level).z ? cells.row(level, z, 0).begin : cells.level(level).end;
}

Run cells_in(const LinearAccess& cells, int level, int shift, const SliceSpan& slices) {
  const SliceSpan planes = slices.of_cells(shift);
  return {first_in_plane(cells, level, planes.begin), first_in_plane(cells, level, planes.end)};
}

// Where each share ends: after so many particles that all have about the same number.
std::vector<std::int64_t> ends_of_shares(const AprAccess& access, std::int64_t side, int count) {
  const LinearAccess& cells = access.particles();
  const std::int64_t units = (cells.size().z + side - 1) / side;
  std::vector<std::uint64_t> up_to(static_cast<std::size_t>(units) + 1, 0);
  for (int l = access.level_min_used(); l <= access.level_max(); ++l) {
    const int shift = access.level_max() - l;
    for (std::int64_t z = 0; z < cells.grid(l).z; ++z) {
      const auto unit = static_cast<std::size_t>((z << shift) / side);
      up_to[unit + 1] += first_in_plane(cells, l, z + 1) - first_in_plane(cells, l, z);
    }
  }
  for (std::size_t i = 1; i < up_to.size(); ++i) up_to[i] += up_to[i - 1];
  std::vector<std::int64_t> ends;
  for (int rank = 1; rank < count; ++rank) {
    const std::uint64_t wanted =
        up_to.back() * static_cast<std::uint64_t>(rank) / static_cast<std::uint64_t>(count);
    auto found = std::lower_bound(up_to.begin(), up_to.end(), wanted);
    // The nearer of two cuts.
    if (found != up_to.begin() && wanted - *(found - 1) < *found - wanted) --found;
    ends.push_back(std::min<std::int64_t>(side * (found - up_to.begin()), cells.size().z));
  }
  ends.push_back(cells.size().z);
  return ends;
}

// Sorted, and those that meet as one.
Runs merged(Runs runs) {
  std::ranges::sort(runs, {}, &Run::begin);
  Runs out;
  for (const Run& run : runs) {
    if (run.begin >= run.end) continue;
    if (!out.empty() && run.begin <= out.back().end) {
      out.back().end = std::max(out.back().end, run.end);
    } else {
      out.push_back(run);
    }
  }
  return out;
}

Runs common(const Runs& a, const Runs& b) {
  Runs out;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Run both{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
    if (both.begin < both.end) out.push_back(both);
    a[i].end < b[j].end ? ++i : ++j;
  }
  return out;
}

// The parts that hold any of these values.
Runs parts_of(const Runs& values) {
  Runs out;
  for (const Run& run : values) {
    out.push_back({run.begin / kValuesOfPart, (run.end + kValuesOfPart - 1) / kValuesOfPart});
  }
  return merged(std::move(out));
}

// The parts whose first value is among these.
Runs parts_begun_in(const Runs& values) {
  Runs out;
  for (const Run& run : values) {
    const auto up = [](std::uint64_t value) { return (value + kValuesOfPart - 1) / kValuesOfPart; };
    out.push_back({up(run.begin), up(run.end)});
  }
  return merged(std::move(out));
}

}  // namespace

// What one rank makes and knows.
struct BlurShares::Share {
  SliceSpan slices, known;
  Runs own, known_parts, known_values, tree, part_sums;

  Share(const AprAccess& access, const SliceSpan& own_slices, std::optional<std::int64_t> reach,
        int coarsest)
      : slices(own_slices), known(own_slices) {
    const LinearAccess& cells = access.particles();
    const int level_max = access.level_max();
    const std::int64_t nz = cells.size().z;
    const std::int64_t side = std::int64_t{1} << (level_max - coarsest);
    if (!reach) {
      known = {0, nz};
    } else if (!slices.empty()) {
      known.begin = std::max<std::int64_t>(slices.begin - *reach, 0) / side * side;
      known.end = std::min(nz, (slices.end + *reach + side - 1) / side * side);
    }
    Runs near;
    for (int l = access.level_min_used(); l <= level_max; ++l) {
      own.push_back(cells_in(cells, l, level_max - l, slices));
      near.push_back(l <= coarsest ? Run{cells.level(l).begin, cells.level(l).end}
                                   : cells_in(cells, l, level_max - l, known));
    }
    own = merged(std::move(own));
    if (!reach) near.push_back({0, access.count()});
    known_parts = parts_of(merged(std::move(near)));
    for (const Run& part : known_parts) {
      known_values.push_back(
          {part.begin * kValuesOfPart, std::min(part.end * kValuesOfPart, access.count())});
    }
    if (coarsest < level_max) {
      tree = merged({cells_in(access.tree(), coarsest, level_max - coarsest, slices)});
    }
    part_sums = parts_begun_in(own);
  }
};

BlurShares::BlurShares(const AprAccess& access, std::optional<std::int64_t> reach, Ranks& ranks)
    : ranks_(ranks), coarsest_(coarsest_level(access)), everything_(!reach) {
  const std::int64_t side = std::int64_t{1} << (access.level_max() - coarsest_);
  std::vector<Share> shares;
  std::int64_t begin = 0;
  for (const std::int64_t end : ends_of_shares(access, side, ranks.place().count)) {
    shares.emplace_back(access, SliceSpan{begin, end}, reach, coarsest_);
    begin = end;
  }
  const Share& mine = shares[static_cast<std::size_t>(ranks.place().rank)];
  own_ = mine.slices;
  known_ = mine.known;
  parts_ = mine.known_parts;
  for (const Share& other : shares) {
    value_ways_.out.push_back(common(mine.own, other.known_values));
    value_ways_.in.push_back(common(other.own, mine.known_values));
    all_ways_.out.push_back(mine.own);
    all_ways_.in.push_back(other.own);
    tree_ways_.out.push_back(mine.tree);
    tree_ways_.in.push_back(other.tree);
    part_ways_.out.push_back(mine.part_sums);
    part_ways_.in.push_back(other.part_sums);
  }
}

void BlurShares::move(std::span<std::byte> bytes, std::size_t size, const Ways& ways) {
  const int count = ranks_.place().count;
  const int rank = ranks_.place().rank;
  const auto stretch = [&](const Runs& runs, std::size_t i) {
    if (i >= runs.size()) return std::span<std::byte>();
    return bytes.subspan(runs[i].begin * size, (runs[i].end - runs[i].begin) * size);
  };
  for (int step = 1; step < count; ++step) {
    const int to = (rank + step) % count;
    const int from = (rank - step + count) % count;
    const Runs& out = ways.out[static_cast<std::size_t>(to)];
    const Runs& in = ways.in[static_cast<std::size_t>(from)];
    for (std::size_t i = 0; i < std::max(out.size(), in.size()); ++i) {
      ranks_.exchange(to, stretch(out, i), from, stretch(in, i));
    }
  }
}

Status BlurShares::share(const Status& mine, std::span<float> values) {
  if (Status all = ranks_.agree(mine); !all) return all;
  move(std::as_writable_bytes(values), sizeof(float), value_ways_);
  return {};
}

Status BlurShares::share_tree(const Status& mine, std::span<float> tree) {
  if (Status all = ranks_.agree(mine); !all) return all;
  move(std::as_writable_bytes(tree), sizeof(float), tree_ways_);
  return {};
}

Status BlurShares::gather(std::span<float> values) {
  if (Status all = ranks_.agree({}); !all) return all;
  move(std::as_writable_bytes(values), sizeof(float), all_ways_);
  return {};
}

std::int64_t blur_reach(const AprAccess& access, const StencilPyramid& stencils) {
  const int level_max = access.level_max();
  // A regulariser reaches over one cell.
  std::int64_t reach = std::int64_t{1} << (level_max - coarsest_level(access));
  for (int l = coarsest_level(access) + 1; l <= level_max; ++l) {
    const std::int64_t radius = stencils.at(l).size.z / 2;
    reach = std::max(reach, radius << (level_max - l));
  }
  return reach;
}

}  // namespace aprscope
