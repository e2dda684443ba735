#include "core/deconvolution/blur/blur_shares.hpp"

#include <algorithm>

namespace aprscope {
namespace {

// Index of the first particle of a level from plane z on.
std::uint64_t first_in_plane(const LinearAccess& cells, int level, std::int64_t z) {
  return z < cells.grid(level).z ? cells.row(level, z, 0).begin : cells.level(level).end;
}

// Where each share ends: after so many particles that all have about the same number. Rows of cells
// are filtered in pairs, so that a cut between two slices of a pair would be made twice.
std::vector<std::int64_t> ends_of_shares(const AprAccess& access, int count) {
  const LinearAccess& cells = access.particles();
  const std::int64_t pairs = (cells.size().z + 1) / 2;
  std::vector<std::uint64_t> up_to(static_cast<std::size_t>(pairs) + 1, 0);
  for (int l = access.level_min_used(); l <= access.level_max(); ++l) {
    const int shift = access.level_max() - l;
    for (std::int64_t z = 0; z < cells.grid(l).z; ++z) {
      const auto pair = static_cast<std::size_t>((z << shift) / 2);
      up_to[pair + 1] += first_in_plane(cells, l, z + 1) - first_in_plane(cells, l, z);
    }
  }
  for (std::size_t i = 1; i < up_to.size(); ++i) up_to[i] += up_to[i - 1];
  std::vector<std::int64_t> ends;
  for (int rank = 1; rank < count; ++rank) {
    const std::uint64_t wanted =
        up_to.back() * static_cast<std::uint64_t>(rank) / static_cast<std::uint64_t>(count);
    const auto found = std::lower_bound(up_to.begin(), up_to.end(), wanted);
    ends.push_back(std::min<std::int64_t>(2 * (found - up_to.begin()), cells.size().z));
  }
  ends.push_back(cells.size().z);
  return ends;
}

}  // namespace

BlurShares::BlurShares(const AprAccess& access, Ranks& ranks) : ranks_(ranks) {
  const LinearAccess& cells = access.particles();
  std::int64_t begin = 0;
  for (const std::int64_t end : ends_of_shares(access, ranks.place().count)) {
    Share share{{begin, end}, {}};
    for (int l = access.level_min_used(); l <= access.level_max(); ++l) {
      const SliceRange planes = share.slices.of_cells(access.level_max() - l);
      share.runs.push_back(
          {first_in_plane(cells, l, planes.begin), first_in_plane(cells, l, planes.end)});
    }
    shares_.push_back(std::move(share));
    begin = end;
  }
}

Status BlurShares::share(const Status& mine, std::span<float> values) {
  if (Status all = ranks_.agree(mine); !all) return all;
  const int count = ranks_.place().count;
  const int rank = ranks_.place().rank;
  const auto run_of = [&](int of, std::size_t level) {
    const Run& run = shares_[static_cast<std::size_t>(of)].runs[level];
    return values.subspan(run.begin, run.end - run.begin);
  };
  for (int step = 1; step < count; ++step) {
    const int to = (rank + step) % count;
    const int from = (rank - step + count) % count;
    for (std::size_t l = 0; l < shares_.front().runs.size(); ++l) {
      ranks_.exchange(to, std::as_bytes(run_of(rank, l)), from,
                      std::as_writable_bytes(run_of(from, l)));
    }
  }
  return {};
}

}  // namespace aprscope
