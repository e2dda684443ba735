#include "core/cells/particle_plateaus.hpp"

#include <atomic>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "core/cells/run_sets.hpp"

namespace aprscope {
namespace {

// A step along a plateau, towards its lower border.
struct PlateauStep {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

class PlateauWalk {
 public:
  PlateauWalk(const AprAccess& access, const ParticleNeighbours& near,
              std::span<const float> heights, std::span<ParticleWay> ways,
              std::span<std::uint32_t> down, const JobContext& context)
      : cells_(access.particles()),
        near_(near),
        context_(context),
        count_(static_cast<std::int64_t>(access.count())),
        heights_(heights),
        ways_(ways),
        down_(down) {}

  bool run() {
    RunSets flats(static_cast<std::uint32_t>(count_));
    const bool joined = each_flat(0.4, 0.6, [&](std::int64_t) {
      return [&](std::uint32_t i, std::uint32_t other) {
        if (is_flat(way(other))) {
          flats.unite(i, other);
        } else if (way(other) == ParticleWay::on) {
          std::atomic_ref(ways_[i]).store(ParticleWay::border, std::memory_order_relaxed);
        }
      };
    });
    if (!joined) return false;
    std::vector<std::uint8_t> open(heights_.size(), 0);
    std::atomic<bool> any{false};
    parallel_for(count_, near_.threads(), [&](std::int64_t at) {
      const auto i = static_cast<std::uint32_t>(at);
      if (ways_[i] != ParticleWay::border) return;
      std::atomic_ref(open[flats.find(i)]).store(1, std::memory_order_relaxed);
      any.store(true, std::memory_order_relaxed);
    });
    // What has no way out is a minimum, for which its first particle stands.
    parallel_for(count_, near_.threads(), [&](std::int64_t at) {
      const auto i = static_cast<std::uint32_t>(at);
      if (!is_flat(ways_[i])) return;
      const std::uint32_t set = flats.find(i);
      if (open[set] != 0) return;
      ways_[i] = ParticleWay::minimum;
      down_[i] = set;
    });
    return !any || lead_out();
  }

 private:
  [[nodiscard]] ParticleWay way(std::uint32_t i) {
    return std::atomic_ref(ways_[i]).load(std::memory_order_relaxed);
  }
  [[nodiscard]] static bool is_flat(ParticleWay way) {
    return way == ParticleWay::inner || way == ParticleWay::border;
  }

  // Calls flat(i, other) for all pairs of one height of which at least i has no lower neighbour.
  template <class Make>
  bool each_flat(double from, double to, const Make& make) {
    return near_.each_pair(context_.part(from, to), "plateaus", [&](std::int64_t item, int) {
      return [&, flat = make(item)](std::uint32_t i, std::uint32_t other, bool same) mutable {
        if (heights_[i] != heights_[other]) return;
        if (is_flat(way(i))) flat(i, other);
        if (!same && is_flat(way(other))) flat(other, i);
      };
    });
  }

  bool lead_out() {
    std::vector<std::vector<std::uint64_t>> found(near_.layers().size());
    const bool done = each_flat(0.6, 0.75, [&](std::int64_t item) {
      auto& mine = found[static_cast<std::size_t>(item)];
      return [&mine](std::uint32_t i, std::uint32_t other) {
        mine.push_back(std::uint64_t{i} << 32U | other);
      };
    });
    if (!done) return false;
    // Neighbours of each particle of these plateaus, in any order.
    std::vector<std::uint64_t> begin(heights_.size() + 1, 0);
    const auto each_found = [&](const auto& work) {
      parallel_each(static_cast<std::int64_t>(found.size()), near_.threads(),
                    [&](std::int64_t item, int) {
                      for (const std::uint64_t pair : found[static_cast<std::size_t>(item)]) {
                        work(pair);
                      }
                    });
    };
    each_found([&](std::uint64_t pair) {
      std::atomic_ref(begin[(pair >> 32U) + 1]).fetch_add(1, std::memory_order_relaxed);
    });
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> beside(begin.back());
    if (context_.stop_requested()) return false;
    // From the last on, after which each begins where its own begin.
    std::vector<std::uint64_t> end(begin.begin() + 1, begin.end());
    each_found([&](std::uint64_t pair) {
      const std::uint64_t at =
          std::atomic_ref(end[pair >> 32U]).fetch_sub(1, std::memory_order_relaxed) - 1;
      beside[at] = static_cast<std::uint32_t>(pair);
    });
    found = {};
    if (context_.stop_requested()) return false;
    return follow_plateaus(begin, beside);
  }

  // By rising distance. Steps are longer than 0, so that those of one distance do not depend on
  // each other; of several for one particle chance decides.
  bool follow_plateaus(const std::vector<std::uint64_t>& begin,
                       const std::vector<std::uint32_t>& beside) {
    std::map<std::uint64_t, std::vector<PlateauStep>> fronts;
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (ways_[i] != ParticleWay::border) continue;
      for (std::uint64_t k = begin[i]; k < begin[i + std::size_t{1}]; ++k) {
        if (ways_[beside[k]] == ParticleWay::on) {
          fronts[length(i, beside[k])].push_back({i, beside[k]});
        }
      }
    }
    std::vector<std::uint32_t> settled;
    while (!fronts.empty()) {
      if (context_.stop_requested()) return false;
      const std::uint64_t distance = fronts.begin()->first;
      const std::vector<PlateauStep> front = std::move(fronts.begin()->second);
      fronts.erase(fronts.begin());
      settled.clear();
      for (const PlateauStep& step : front) {
        if (ways_[step.from] == ParticleWay::on) continue;
        std::uint32_t& down = down_[step.from];
        if (down == step.from) settled.push_back(step.from);
        if (down == step.from || step.to * kOrderMixer < down * kOrderMixer) down = step.to;
      }
      for (const std::uint32_t i : settled) ways_[i] = ParticleWay::on;
      for (const std::uint32_t i : settled) {
        for (std::uint64_t k = begin[i]; k < begin[i + std::size_t{1}]; ++k) {
          const std::uint32_t next = beside[k];
          if (ways_[next] != ParticleWay::on) {
            fronts[distance + length(i, next)].push_back({next, i});
          }
        }
      }
    }
    return true;
  }

  // Twice the way between two centres, along one axis.
  [[nodiscard]] std::uint64_t length(std::uint32_t a, std::uint32_t b) const {
    return side(a) + side(b);
  }
  [[nodiscard]] std::uint64_t side(std::uint32_t i) const {
    int level = cells_.level_last();
    while (cells_.level(level).begin > i) --level;
    return std::uint64_t{1} << static_cast<unsigned>(cells_.level_max() - level);
  }

  const LinearAccess& cells_;
  const ParticleNeighbours& near_;
  const JobContext& context_;
  const std::int64_t count_;
  std::span<const float> heights_;
  std::span<ParticleWay> ways_;
  std::span<std::uint32_t> down_;
};

}  // namespace

bool cross_particle_plateaus(const AprAccess& access, const ParticleNeighbours& near,
                             std::span<const float> heights, std::span<ParticleWay> ways,
                             std::span<std::uint32_t> down, const JobContext& context) {
  return PlateauWalk(access, near, heights, ways, down, context).run();
}

}  // namespace aprscope
