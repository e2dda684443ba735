#include "core/cells/particle_basins.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <tuple>

#include "core/cells/particle_neighbours.hpp"
#include "core/cells/pass_table.hpp"
#include "core/cells/piece_tally.hpp"
#include "core/cells/run_sets.hpp"
#include "core/topology/disjoint_sets.hpp"

namespace aprscope {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

enum class Way : std::uint8_t {
  /// To a lower particle, or along a plateau to its border.
  on,
  /// Nowhere: a minimum, or part of one.
  minimum,
  /// On a plateau without a lower neighbour; with one that leads on.
  inner,
  border,
  /// +infinity: it is in no basin.
  none
};

// Floats in the order of integers.
std::uint32_t ordered(float height) {
  const auto bits = std::bit_cast<std::uint32_t>(height + 0.0F);
  return (bits >> 31U) != 0 ? ~bits : bits | 0x80000000U;
}

// Numbers in another order, and back: which of several comes first is chance.
constexpr std::uint32_t kMixer = 0x9E3779B1U;
constexpr std::uint32_t inverse_of(std::uint32_t odd) {
  std::uint32_t inverse = odd;
  for (int i = 0; i < 5; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}
constexpr std::uint32_t kUnmixer = inverse_of(kMixer);
static_assert(kMixer * kUnmixer == 1);

constexpr std::uint64_t kNobody = ~std::uint64_t{0};

float floor_of(float value, bool bright) { return bright ? -value : value; }

void take_lower(std::uint64_t& to, std::uint64_t key) {
  const std::atomic_ref shared(to);
  std::uint64_t now = shared.load(std::memory_order_relaxed);
  while (key < now && !shared.compare_exchange_weak(now, key, std::memory_order_relaxed)) {
  }
}

// A step along a plateau, towards its lower border.
struct PlateauStep {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

class ParticleDescent {
 public:
  ParticleDescent(const AprAccess& access, std::span<const float> values, const BasinRule& rule,
                  const JobContext& context)
      : access_(access),
        cells_(access.particles()),
        values_(values),
        rule_(rule),
        context_(context),
        count_(static_cast<std::int64_t>(access.count())),
        near_(access, rule.near) {}

  Result<Basins> run() {
    set_heights();
    if (!find_lowest()) return cancelled_error();
    choose_ways();
    lowest_ = {};
    if (plateaus_) {
      if (!cross_plateaus()) return cancelled_error();
    }
    return number_basins();
  }

 private:
  void set_heights() {
    heights_.resize(values_.size());
    parallel_for(count_, near_.threads(), [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      heights_[at] = floor_of(values_[at], rule_.bright);
    });
    const Size3& n = access_.size();
    for (const FloodMarker& one : rule_.markers) {
      const std::uint64_t i =
          access_.find({one.pixel / (n.x * n.y), one.pixel / n.y % n.x, one.pixel % n.y}).index;
      if (heights_[i] == -kInfinity) continue;
      // The lowest of all.
      heights_[i] = -kInfinity;
      marked_.push_back({static_cast<std::uint32_t>(i), one.number});
      markers_ = std::max(markers_, one.number);
    }
  }

  // The lowest neighbour of each particle.
  bool find_lowest() {
    lowest_.assign(values_.size(), kNobody);
    const auto key = [&](std::uint32_t i) {
      return std::uint64_t{ordered(heights_[i])} << 32U | i * kMixer;
    };
    return near_.each(context_.part(0.0, 0.4), "basins", [&](std::int64_t, int) {
      return
          [&](std::uint32_t i, const auto& round, std::uint32_t steps, std::int64_t, std::int64_t) {
            const std::uint64_t own = key(i);
            std::uint64_t lowest = kNobody;
            for (; steps != 0; steps &= steps - 1) {
              const int step = std::countr_zero(steps);
              const std::uint32_t other = round.particle(step);
              lowest = std::min(lowest, key(other));
              if ((round.larger >> step & 1U) != 0) take_lower(lowest_[other], own);
            }
            take_lower(lowest_[i], lowest);
          };
    });
  }

  void choose_ways() {
    ways_.resize(values_.size());
    down_.resize(values_.size());
    std::atomic<bool> plateaus{false};
    parallel_for(count_, near_.threads(), [&](std::int64_t at) {
      const auto i = static_cast<std::size_t>(at);
      const auto lowest = static_cast<std::uint32_t>(lowest_[i] >> 32U);
      const std::uint32_t own = ordered(heights_[i]);
      down_[i] = static_cast<std::uint32_t>(i);
      if (heights_[i] == kInfinity) {
        ways_[i] = Way::none;
      } else if (lowest < own) {
        ways_[i] = Way::on;
        down_[i] = static_cast<std::uint32_t>(lowest_[i]) * kUnmixer;
      } else if (lowest == own && heights_[i] != -kInfinity) {
        ways_[i] = Way::inner;
        plateaus.store(true, std::memory_order_relaxed);
      } else {
        ways_[i] = Way::minimum;
      }
    });
    plateaus_ = plateaus;
  }

  [[nodiscard]] Way way(std::uint32_t i) {
    return std::atomic_ref(ways_[i]).load(std::memory_order_relaxed);
  }
  [[nodiscard]] static bool is_flat(Way way) { return way == Way::inner || way == Way::border; }

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

  bool cross_plateaus() {
    RunSets flats(static_cast<std::uint32_t>(count_));
    const bool joined = each_flat(0.4, 0.6, [&](std::int64_t) {
      return [&](std::uint32_t i, std::uint32_t other) {
        if (is_flat(way(other))) {
          flats.unite(i, other);
        } else if (way(other) == Way::on) {
          std::atomic_ref(ways_[i]).store(Way::border, std::memory_order_relaxed);
        }
      };
    });
    if (!joined) return false;
    std::vector<std::uint8_t> open(values_.size(), 0);
    std::atomic<bool> any{false};
    parallel_for(count_, near_.threads(), [&](std::int64_t at) {
      const auto i = static_cast<std::uint32_t>(at);
      if (ways_[i] != Way::border) return;
      std::atomic_ref(open[flats.find(i)]).store(1, std::memory_order_relaxed);
      any.store(true, std::memory_order_relaxed);
    });
    // What has no way out is a minimum, for which its first particle stands.
    parallel_for(count_, near_.threads(), [&](std::int64_t at) {
      const auto i = static_cast<std::uint32_t>(at);
      if (!is_flat(ways_[i])) return;
      const std::uint32_t set = flats.find(i);
      if (open[set] != 0) return;
      ways_[i] = Way::minimum;
      down_[i] = set;
    });
    return !any || lead_out();
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
    std::vector<std::uint64_t> begin(values_.size() + 1, 0);
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
      if (ways_[i] != Way::border) continue;
      for (std::uint64_t k = begin[i]; k < begin[i + std::size_t{1}]; ++k) {
        if (ways_[beside[k]] == Way::on) fronts[length(i, beside[k])].push_back({i, beside[k]});
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
        if (ways_[step.from] == Way::on) continue;
        std::uint32_t& down = down_[step.from];
        if (down == step.from) settled.push_back(step.from);
        if (down == step.from || step.to * kMixer < down * kMixer) down = step.to;
      }
      for (const std::uint32_t i : settled) ways_[i] = Way::on;
      for (const std::uint32_t i : settled) {
        for (std::uint64_t k = begin[i]; k < begin[i + std::size_t{1}]; ++k) {
          const std::uint32_t next = beside[k];
          if (ways_[next] != Way::on) fronts[distance + length(i, next)].push_back({next, i});
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

  // Where a particle's water ends. Shortens ways as it goes; any thread may.
  std::uint32_t end_of(std::uint32_t i) {
    const auto next = [&](std::uint32_t at) {
      return std::atomic_ref(down_[at]).load(std::memory_order_relaxed);
    };
    std::uint32_t end = i;
    for (std::uint32_t below = next(end); below != end; below = next(end)) end = below;
    while (i != end) {
      const std::uint32_t below = next(i);
      std::atomic_ref(down_[i]).store(end, std::memory_order_relaxed);
      i = below;
    }
    return end;
  }

  Result<Basins> number_basins() {
    Basins out;
    out.labels.assign(values_.size(), 0);
    std::vector<float> floors(std::size_t{1} + markers_, kInfinity);
    for (const Marked& one : marked_) {
      out.labels[one.particle] = one.number;
      floors[one.number] =
          std::min(floors[one.number], floor_of(values_[one.particle], rule_.bright));
    }
    for (std::size_t i = 0; i < out.labels.size(); ++i) {
      if (ways_[i] != Way::minimum || down_[i] != i || out.labels[i] != 0) continue;
      out.labels[i] = static_cast<std::uint32_t>(floors.size());
      floors.push_back(heights_[i]);
    }
    std::vector<std::uint64_t> first(floors.size(), kNobody);
    std::vector<std::uint64_t> pixels(floors.size(), 0);
    if (!follow_ways(out.labels, first, pixels)) return cancelled_error();

    // In the order of first pixels, without markers of which there is nothing.
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 1; i < floors.size(); ++i) {
      if (first[i] != kNobody) order.push_back(i);
    }
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return first[a] < first[b]; });
    std::vector<std::uint32_t> number(floors.size(), 0);
    out.floors.assign(1, 0.0F);
    out.sizes.assign(1, 0);
    if (!rule_.markers.empty()) out.markers.assign(1, 0);
    for (const std::uint32_t one : order) {
      number[one] = static_cast<std::uint32_t>(out.floors.size());
      out.floors.push_back(floors[one]);
      out.sizes.push_back(pixels[one]);
      if (!rule_.markers.empty()) out.markers.push_back(one <= markers_ ? one : 0);
    }
    parallel_for(count_, near_.threads(), [&](std::int64_t i) {
      std::uint32_t& label = out.labels[static_cast<std::size_t>(i)];
      label = number[label];
    });
    return out;
  }

  bool follow_ways(std::vector<std::uint32_t>& labels, std::vector<std::uint64_t>& first,
                   std::vector<std::uint64_t>& pixels) {
    // Ends have theirs already, and nobody writes them.
    const auto label_at = [&](std::uint32_t i) {
      return std::atomic_ref(labels[i]).load(std::memory_order_relaxed);
    };
    return parallel_items(
        static_cast<std::int64_t>(near_.layers().size()), near_.threads(), context_.part(0.75, 1.0),
        "basins", [&](std::int64_t item, int) {
          const CellLayer& layer = near_.layers()[static_cast<std::size_t>(item)];
          const LayerGeometry geometry(cells_, layer);
          PieceTally tally(first, pixels);
          for (std::int64_t x = 0; x < geometry.grid.x; ++x) {
            const ParticleRange row = cells_.row(layer.level, layer.z, x);
            for (std::uint64_t at = row.begin; at < row.end; ++at) {
              const auto i = static_cast<std::uint32_t>(at);
              if (ways_[i] == Way::none) continue;
              const std::uint32_t end = end_of(i);
              const std::uint32_t label = label_at(end);
              if (end != i) std::atomic_ref(labels[i]).store(label, std::memory_order_relaxed);
              const std::int64_t y = cells_.y()[at];
              tally.add(label, geometry.first_pixel(x, y), geometry.pixels(x, y, y));
            }
          }
        });
  }

  struct Marked {
    std::uint32_t particle = 0;
    std::uint32_t number = 0;
  };

  const AprAccess& access_;
  const LinearAccess& cells_;
  std::span<const float> values_;
  const BasinRule& rule_;
  const JobContext& context_;
  const std::int64_t count_;
  const ParticleNeighbours near_;
  std::vector<float> heights_;
  std::vector<Marked> marked_;
  std::uint32_t markers_ = 0;
  // Height and number of the lowest neighbour.
  std::vector<std::uint64_t> lowest_;
  std::vector<Way> ways_;
  std::vector<std::uint32_t> down_;
  bool plateaus_ = false;
};

Status check_values(const AprAccess& access, std::span<const float> values) {
  if (Status ok = check_cell_count(access.count()); !ok) return ok;
  if (values.size() == access.count()) return {};
  return Error{"there are " + std::to_string(values.size()) + " values for " +
                   std::to_string(access.count()) + " particles",
               "particles", "use values of the same APR"};
}

Status check_marks(std::span<const FloodMarker> markers, const Size3& size) {
  std::int64_t last = -1;
  for (const FloodMarker& one : markers) {
    if (one.pixel <= last || one.pixel >= size.count() || one.number == 0) {
      return Error{"markers lie outside the image, are out of order or have the number 0",
                   "the markers", "sort them by pixel, one a pixel"};
    }
    last = one.pixel;
  }
  return {};
}

}  // namespace

Result<Basins> find_particle_basins(const AprAccess& access, std::span<const float> values,
                                    const BasinRule& rule, const JobContext& context) {
  if (Status ok = check_values(access, values); !ok) return ok.error();
  if (Status ok = check_marks(rule.markers, access.size()); !ok) return ok.error();
  return ParticleDescent(access, values, rule, context).run();
}

Result<BasinTree> particle_basin_tree(const AprAccess& access, std::span<const float> values,
                                      const Basins& basins, const BasinRule& rule,
                                      const JobContext& context) {
  if (Status ok = check_values(access, values); !ok) return ok.error();
  const ParticleNeighbours near(access, rule.near);
  std::vector<PassTable> tables(static_cast<std::size_t>(near.threads()));
  const bool done = near.each_pair(context, "passes", [&](std::int64_t, int thread) {
    PassTable& table = tables[static_cast<std::size_t>(thread)];
    return [&](std::uint32_t i, std::uint32_t other, bool same) {
      const std::uint32_t a = std::min(basins.labels[i], basins.labels[other]);
      const std::uint32_t b = std::max(basins.labels[i], basins.labels[other]);
      if (a == b || a == 0 || (same && other < i)) return;
      const float height =
          std::max(floor_of(values[i], rule.bright), floor_of(values[other], rule.bright));
      table.add(a, b, {height, a, b});
    };
  });
  if (!done) return cancelled_error();
  std::vector<BasinPass> all;
  for (PassTable& one : tables) one.append_to(all);
  std::sort(all.begin(), all.end(), [](const BasinPass& a, const BasinPass& b) {
    return std::tie(a.height, a.a, a.b) < std::tie(b.height, b.a, b.b);
  });
  BasinTree out;
  DisjointSets sets(basins.floors.size());
  for (const BasinPass& pass : all) {
    if (sets.unite(pass.a, pass.b)) out.passes.push_back(pass);
  }
  out.floors = basins.floors;
  out.sizes = basins.sizes;
  out.markers = basins.markers;
  return out;
}

}  // namespace aprscope
