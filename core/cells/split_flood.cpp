#include "core/cells/split_flood.hpp"

#include <algorithm>
#include <queue>

namespace aprscope {
namespace {

struct Reached {
  float level;
  std::uint64_t order;
  std::int64_t at;
  // std::priority_queue hands out the largest.
  friend bool operator<(const Reached& a, const Reached& b) {
    return a.level != b.level ? a.level > b.level : a.order > b.order;
  }
};

}  // namespace

Result<std::vector<std::uint32_t>> divided_among_seeds(const BoxMask& mask,
                                                       const std::vector<float>& signal,
                                                       const std::vector<Index3>& seeds,
                                                       const JobContext& context) {
  const Size3 n = mask.box.size();
  std::vector<std::uint32_t> owner(mask.set.size(), 0);
  std::priority_queue<Reached> queue;
  std::uint64_t order = 0;
  // The water level never falls: a pixel floods at least at the level it is reached from.
  const auto reach = [&](std::int64_t i, std::uint32_t seed, float level) {
    const auto at = static_cast<std::size_t>(i);
    if (mask.set[at] == 0 || owner[at] != 0) return;
    owner[at] = seed;
    queue.push({std::max(level, signal[at]), order++, i});
  };
  for (std::size_t s = 0; s < seeds.size(); ++s) {
    const std::size_t at = mask.index(seeds[s].z, seeds[s].x, seeds[s].y);
    reach(static_cast<std::int64_t>(at), static_cast<std::uint32_t>(s + 1), signal[at]);
  }
  for (std::uint64_t steps = 0; !queue.empty(); ++steps) {
    if (steps % 16384 == 0 && context.stop_requested()) return cancelled_error();
    const Reached now = queue.top();
    queue.pop();
    const std::uint32_t seed = owner[static_cast<std::size_t>(now.at)];
    const std::int64_t y = now.at % n.y;
    const std::int64_t x = now.at / n.y % n.x;
    const std::int64_t z = now.at / n.y / n.x;
    if (z > 0) reach(now.at - n.x * n.y, seed, now.level);
    if (x > 0) reach(now.at - n.y, seed, now.level);
    if (y > 0) reach(now.at - 1, seed, now.level);
    if (y + 1 < n.y) reach(now.at + 1, seed, now.level);
    if (x + 1 < n.x) reach(now.at + n.y, seed, now.level);
    if (z + 1 < n.z) reach(now.at + n.x * n.y, seed, now.level);
  }
  return owner;
}

}  // namespace aprscope
