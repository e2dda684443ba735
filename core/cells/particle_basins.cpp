#include "core/cells/particle_basins.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <string>

#include "core/cells/particle_neighbours.hpp"
#include "core/cells/particle_plateaus.hpp"
#include "core/cells/piece_tally.hpp"

namespace aprscope {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Floats in the order of integers.
std::uint32_t ordered(float height) {
  const auto bits = std::bit_cast<std::uint32_t>(height + 0.0F);
  return (bits >> 31U) != 0 ? ~bits : bits | 0x80000000U;
}

// Undoes what kOrderMixer does.
constexpr std::uint32_t inverse_of(std::uint32_t odd) {
  std::uint32_t inverse = odd;
  for (int i = 0; i < 5; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}
constexpr std::uint32_t kUnmixer = inverse_of(kOrderMixer);
static_assert(kOrderMixer * kUnmixer == 1);

constexpr std::uint64_t kNobody = ~std::uint64_t{0};

void take_lower(std::uint64_t& to, std::uint64_t key) {
  const std::atomic_ref shared(to);
  std::uint64_t now = shared.load(std::memory_order_relaxed);
  while (key < now && !shared.compare_exchange_weak(now, key, std::memory_order_relaxed)) {
  }
}

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
    if (plateaus_ && !cross_particle_plateaus(access_, near_, heights_, ways_, down_, context_)) {
      return cancelled_error();
    }
    return number_basins();
  }

 private:
  void set_heights() {
    heights_.resize(values_.size());
    parallel_for(count_, near_.threads(), [&](std::int64_t i) {
      const auto at = static_cast<std::size_t>(i);
      heights_[at] = particle_height(values_[at], rule_.bright);
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
      return std::uint64_t{ordered(heights_[i])} << 32U | i * kOrderMixer;
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
        ways_[i] = ParticleWay::none;
      } else if (lowest < own) {
        ways_[i] = ParticleWay::on;
        down_[i] = static_cast<std::uint32_t>(lowest_[i]) * kUnmixer;
      } else if (lowest == own && heights_[i] != -kInfinity) {
        ways_[i] = ParticleWay::inner;
        plateaus.store(true, std::memory_order_relaxed);
      } else {
        ways_[i] = ParticleWay::minimum;
      }
    });
    plateaus_ = plateaus;
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
          std::min(floors[one.number], particle_height(values_[one.particle], rule_.bright));
    }
    for (std::size_t i = 0; i < out.labels.size(); ++i) {
      if (ways_[i] != ParticleWay::minimum || down_[i] != i || out.labels[i] != 0) continue;
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
              if (ways_[i] == ParticleWay::none) continue;
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
  std::vector<ParticleWay> ways_;
  std::vector<std::uint32_t> down_;
  bool plateaus_ = false;
};

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

Status check_particle_values(const AprAccess& access, std::span<const float> values) {
  if (Status ok = check_cell_count(access.count()); !ok) return ok;
  if (values.size() == access.count()) return {};
  return Error{"there are " + std::to_string(values.size()) + " values for " +
                   std::to_string(access.count()) + " particles",
               "particles", "use values of the same APR"};
}

Result<Basins> find_particle_basins(const AprAccess& access, std::span<const float> values,
                                    const BasinRule& rule, const JobContext& context) {
  if (Status ok = check_particle_values(access, values); !ok) return ok.error();
  if (Status ok = check_marks(rule.markers, access.size()); !ok) return ok.error();
  return ParticleDescent(access, values, rule, context).run();
}

}  // namespace aprscope
