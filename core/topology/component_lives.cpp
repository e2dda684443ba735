#include "core/topology/component_lives.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

namespace aprscope {
namespace {

// Basins that end, in the order of their ends, by counting.
std::vector<std::uint32_t> by_death(const MergeTree& tree) {
  std::vector<std::uint64_t> next(tree.change.size() + 1);
  for (const std::uint32_t death : tree.death) {
    if (death != MergeTree::kNever) ++next[death + std::size_t{1}];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> order(next.back());
  for (std::uint32_t i = 0; i < tree.death.size(); ++i) {
    if (tree.death[i] != MergeTree::kNever) order[next[tree.death[i]]++] = i;
  }
  return order;
}

}  // namespace

// A cell counts for what its piece is called when it enters: pieces that ended before, or with the
// cell's own level, are part of another one by then.
void LifeSizes::Adder::add(std::uint32_t basin, std::uint32_t place, std::uint64_t pixels) {
  const MergeTree& tree = sizes_.tree_;
  while (tree.death[basin] <= place) basin = tree.into[basin];
  if (basin != basin_) {
    flush();
    basin_ = basin;
  }
  pixels_ += pixels;
}

void LifeSizes::Adder::flush() {
  if (pixels_ == 0) return;
  std::atomic_ref(sizes_.sizes_[basin_]).fetch_add(pixels_, std::memory_order_relaxed);
  pixels_ = 0;
}

std::vector<std::uint64_t> LifeSizes::take() {
  for (const std::uint32_t basin : by_death(tree_)) {
    // `into` is the piece that lives on: of pieces that end together none goes into another.
    sizes_[tree_.into[basin]] += sizes_[basin];
  }
  return std::move(sizes_);
}

std::vector<std::uint32_t> longest_lived(const MergeTree& tree, std::span<const double> levels,
                                         std::span<const std::uint64_t> position,
                                         std::size_t most) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < tree.birth.size(); ++i) {
    if (tree.death[i] > tree.birth[i]) found.push_back(i);
  }
  const auto length = [&](std::uint32_t i) {
    return tree.death[i] == MergeTree::kNever
               ? std::numeric_limits<double>::infinity()
               : std::abs(levels[tree.death[i]] - levels[tree.birth[i]]);
  };
  const auto longer = [&](std::uint32_t a, std::uint32_t b) {
    const double of_a = length(a);
    const double of_b = length(b);
    if (of_a != of_b) return of_a > of_b;
    if (tree.birth[a] != tree.birth[b]) return tree.birth[a] < tree.birth[b];
    return position.empty() ? a < b : position[a] < position[b];
  };
  const auto end =
      found.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(most, found.size()));
  std::partial_sort(found.begin(), end, found.end(), longer);
  found.erase(end, found.end());
  return found;
}

}  // namespace aprscope
