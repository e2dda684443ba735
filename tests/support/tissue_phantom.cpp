#include "tests/support/tissue_phantom.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/image/random.hpp"
#include "core/image/scenes.hpp"

namespace aprscope::test {
namespace {

using Point = std::array<double, 3>;

struct Site {
  Point at{};
  std::uint32_t label = 0;
};

// Centres of cells: about one in each box of a grid, with boxes around the image, too.
class Sites {
 public:
  Sites(const TissuePhantom& p, const Point& extent) : pitch_(p.cell) {
    for (std::size_t d = 0; d < 3; ++d) {
      boxes_[d] = static_cast<std::int64_t>(std::ceil(extent[d] / pitch_)) + 2 * kMargin;
    }
    if (p.size.z == 1) boxes_[0] = 1;
    boxes_of_.resize(static_cast<std::size_t>(boxes_[0] * boxes_[1] * boxes_[2]));
    std::uint32_t last = 0;
    for (std::size_t box = 0; box < boxes_of_.size(); ++box) {
      const CounterRandom random(p.seed, box);
      const auto b = static_cast<std::int64_t>(box);
      const std::array<std::int64_t, 3> at{b / (boxes_[1] * boxes_[2]), b / boxes_[2] % boxes_[1],
                                           b % boxes_[2]};
      const bool many = p.kind == TissuePhantom::Kind::mixed && random.uniform(1000) < 0.25;
      const int parts = many ? 2 : 1;
      const int deep = boxes_[0] == 1 ? 1 : parts;
      std::uint64_t draw = 0;
      for (int i = 0; i < deep * parts * parts; ++i) {
        const std::array<int, 3> part{i / (parts * parts), i / parts % parts, i % parts};
        Site site;
        site.label = ++last;
        for (std::size_t d = 0; d < 3; ++d) {
          const double jitter = 0.15 + 0.7 * random.uniform(draw++);
          const double offset = boxes_[d] == 1 ? 0.0 : kMargin;
          site.at[d] = pitch_ * (static_cast<double>(at[d]) - offset + (part[d] + jitter) / parts);
        }
        if (boxes_[0] == 1) site.at[0] = 0.0;
        boxes_of_[box].push_back(site);
      }
    }
  }

  // The nearest site, and how far the wall between it and any other is.
  [[nodiscard]] std::uint32_t nearest(const Point& p, double& to_wall) const {
    std::array<std::int64_t, 3> low{};
    std::array<std::int64_t, 3> high{};
    for (std::size_t d = 0; d < 3; ++d) {
      const double offset = boxes_[d] == 1 ? 0.0 : kMargin;
      const auto at = static_cast<std::int64_t>(std::floor(p[d] / pitch_ + offset));
      low[d] = std::max<std::int64_t>(0, at - kMargin);
      high[d] = std::min(boxes_[d] - 1, at + kMargin);
    }
    const Site* best = nullptr;
    double least = 0.0;
    each(low, high, [&](const Site& site) {
      const double d2 = distance2(site.at, p);
      if (best != nullptr && d2 >= least) return;
      best = &site;
      least = d2;
    });
    to_wall = 1e9;
    each(low, high, [&](const Site& site) {
      if (&site == best) return;
      const double wall =
          (distance2(site.at, p) - least) / (2.0 * std::sqrt(distance2(site.at, best->at)));
      to_wall = std::min(to_wall, wall);
    });
    return best->label;
  }

 private:
  static constexpr std::int64_t kMargin = 2;
  static double distance2(const Point& a, const Point& b) {
    double sum = 0.0;
    for (std::size_t d = 0; d < 3; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
    return sum;
  }
  template <class Visit>
  void each(const std::array<std::int64_t, 3>& low, const std::array<std::int64_t, 3>& high,
            const Visit& visit) const {
    for (std::int64_t z = low[0]; z <= high[0]; ++z) {
      for (std::int64_t x = low[1]; x <= high[1]; ++x) {
        for (std::int64_t y = low[2]; y <= high[2]; ++y) {
          for (const Site& site :
               boxes_of_[static_cast<std::size_t>((z * boxes_[1] + x) * boxes_[2] + y)]) {
            visit(site);
          }
        }
      }
    }
  }

  double pitch_;
  std::array<std::int64_t, 3> boxes_{};
  std::vector<std::vector<Site>> boxes_of_;
};

// A Gaussian along one dimension; pixels beyond the border are those at it.
void blur(Pixels<float>& image, std::size_t dimension, double sigma) {
  const std::array<std::int64_t, 3> n{image.size.z, image.size.x, image.size.y};
  if (sigma <= 0.0 || n[dimension] == 1) return;
  const std::array<std::int64_t, 3> stride{n[1] * n[2], n[2], 1};
  const auto reach = static_cast<std::int64_t>(std::ceil(3.0 * sigma));
  std::vector<double> weights;
  double sum = 0.0;
  for (std::int64_t k = -reach; k <= reach; ++k) {
    const double u = static_cast<double>(k) / sigma;
    weights.push_back(std::exp(-0.5 * u * u));
    sum += weights.back();
  }
  const std::vector<float> from = image.values;
  const auto count = static_cast<std::int64_t>(from.size());
  parallel_for(count, thread_count(), [&](std::int64_t i) {
    const std::int64_t at = i / stride[dimension] % n[dimension];
    double value = 0.0;
    for (std::int64_t k = -reach; k <= reach; ++k) {
      const std::int64_t there = std::clamp<std::int64_t>(at + k, 0, n[dimension] - 1);
      value +=
          weights[static_cast<std::size_t>(k + reach)] *
          static_cast<double>(from[static_cast<std::size_t>(i + (there - at) * stride[dimension])]);
    }
    image.values[static_cast<std::size_t>(i)] = static_cast<float>(value / sum);
  });
}

}  // namespace

TissueImage make_tissue(const TissuePhantom& phantom) {
  const Size3 n = phantom.size;
  const double stretch = phantom.kind == TissuePhantom::Kind::elongated ? 2.5 : 1.0;
  const Point step{phantom.voxel.z, phantom.voxel.x / stretch, phantom.voxel.y};
  const Sites sites(phantom,
                    {static_cast<double>(n.z) * step[0], static_cast<double>(n.x) * step[1],
                     static_cast<double>(n.y) * step[2]});
  Pixels<float> light(n);
  TissueImage out;
  out.truth.values.resize(light.values.size());
  const double soft = std::min({phantom.voxel.z, phantom.voxel.x, phantom.voxel.y});
  parallel_for(n.z * n.x, thread_count(), [&](std::int64_t row) {
    const std::int64_t z = row / n.x;
    for (std::int64_t y = 0; y < n.y; ++y) {
      const auto i = static_cast<std::size_t>(row * n.y + y);
      double to_wall = 0.0;
      out.truth.values[i] =
          sites.nearest({static_cast<double>(z) * step[0], static_cast<double>(row % n.x) * step[1],
                         static_cast<double>(y) * step[2]},
                        to_wall);
      const double share = std::clamp(0.5 + (phantom.wall / 2.0 - to_wall) / soft, 0.0, 1.0);
      light.values[i] = static_cast<float>(phantom.background + phantom.signal * share);
    }
  });
  blur(light, 0, phantom.blur_z / phantom.voxel.z);
  blur(light, 1, phantom.blur / phantom.voxel.x);
  blur(light, 2, phantom.blur / phantom.voxel.y);
  add_poisson_noise(light, 1.0, phantom.seed);
  Pixels<std::uint16_t> counts(n);
  for (std::size_t i = 0; i < light.values.size(); ++i) {
    counts.values[i] = static_cast<std::uint16_t>(std::clamp(light.values[i], 0.0F, 65535.0F));
    out.truth.largest = std::max(out.truth.largest, out.truth.values[i]);
  }
  out.image.pixels = std::move(counts);
  out.image.voxel = phantom.voxel;
  out.image.name = "tissue";
  return out;
}

}  // namespace aprscope::test
