#include "core/image/scenes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/parallel.hpp"
#include "core/image/direction.hpp"
#include "core/image/random.hpp"

namespace aprscope {
namespace {

using namespace direction;  // NOLINT: sources of this folder share its words

Vec extent(const Size3& n) {
  return {static_cast<double>(n.z), static_cast<double>(n.x), static_cast<double>(n.y)};
}

// Calls visit(value, offset from c) for the pixels within `reach` of c in each dimension.
template <class Visit>
void for_each_around(Pixels<float>& image, const Vec& c, const Vec& reach, const Visit& visit) {
  const std::array<std::int64_t, 3> n{image.size.z, image.size.x, image.size.y};
  std::array<std::int64_t, 3> begin{};
  std::array<std::int64_t, 3> end{};
  for (std::size_t d = 0; d < 3; ++d) {
    begin[d] = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(c[d] - reach[d])));
    end[d] = std::min(n[d], static_cast<std::int64_t>(std::ceil(c[d] + reach[d])) + 1);
  }
  for (std::int64_t z = begin[0]; z < end[0]; ++z) {
    for (std::int64_t x = begin[1]; x < end[1]; ++x) {
      for (std::int64_t y = begin[2]; y < end[2]; ++y) {
        const Vec p{static_cast<double>(z) - c[0], static_cast<double>(x) - c[1],
                    static_cast<double>(y) - c[2]};
        visit(image.at(z, x, y), p);
      }
    }
  }
}

// Share of a pixel that lies below an edge at distance d: sharp, but not jagged.
double below(double d) { return std::clamp(0.5 - d, 0.0, 1.0); }

// A Poisson deviate: by inversion where the mean is small, else the rounded normal approximation.
double poisson(double mean, const CounterRandom& random, std::uint64_t i) {
  if (!(mean > 0.0)) return 0.0;
  if (mean > 60.0) {
    return std::max(0.0, std::round(mean + std::sqrt(mean) * random.normal(i)));
  }
  const double u = random.uniform(2 * i);
  double p = std::exp(-mean);
  double sum = p;
  int k = 0;
  while (u >= sum && k < 1000) {
    ++k;
    p *= mean / k;
    sum += p;
  }
  return k;
}

}  // namespace

Pixels<float> hollow_cylinders(const CylinderScene& scene, const JobContext& context) {
  Pixels<float> image(scene.size, scene.background);
  const Vec n = extent(scene.size);
  const double unit_length = std::min({n[0], n[1], n[2]});
  for (int i = 0; i < scene.count && !context.stop_requested(); ++i) {
    const CounterRandom random(scene.seed, 5000 + static_cast<std::uint64_t>(i));
    const double radius =
        scene.radius_min + (scene.radius_max - scene.radius_min) * random.uniform(3);
    const double half =
        unit_length * (scene.half_min + (scene.half_max - scene.half_min) * random.uniform(4));
    const Vec axis = unit({random.normal(5), random.normal(6), random.normal(7)});
    Vec c{};
    for (std::size_t d = 0; d < 3; ++d) c[d] = n[d] * (0.15 + 0.7 * random.uniform(d));
    const double reach = half + radius + 1.0;
    for_each_around(image, c, {reach, reach, reach}, [&](float& out, const Vec& p) {
      const double along = dot(p, axis);
      const double across = std::sqrt(std::max(0.0, dot(p, p) - along * along));
      const double share = below(std::abs(along) - half) * below(across - radius) *
                           below(radius - scene.wall - across);
      out = std::max(out, scene.background + scene.signal * static_cast<float>(share));
    });
  }
  return image;
}

Pixels<float> microtubules(const MicrotubuleScene& scene, const JobContext& context) {
  Pixels<float> image(scene.size);
  const Vec n = extent(scene.size);
  const Vec voxel{scene.voxel_z, scene.voxel_x, scene.voxel_y};
  const double sigma = scene.thickness / 2.3548;
  Vec reach{};
  for (std::size_t d = 0; d < 3; ++d) reach[d] = 3.5 * sigma / voxel[d];
  // Steps of a third of the thickness leave no beads.
  const double step = scene.thickness / 3.0;
  const auto steps = static_cast<std::uint64_t>(
      2.0 * (n[1] * voxel[1] + n[2] * voxel[2] + n[0] * voxel[0]) / step);
  const double turn = scene.bend * std::sqrt(step / voxel[1]);
  for (int i = 0; i < scene.count && !context.stop_requested(); ++i) {
    const CounterRandom random(scene.seed, 9000 + static_cast<std::uint64_t>(i));
    Vec start{};
    for (std::size_t d = 0; d < 3; ++d) start[d] = n[d] * voxel[d] * random.uniform(d);
    const Vec first = unit({scene.slope * random.normal(3), random.normal(4), random.normal(5)});
    const double bright = 0.5 + 0.5 * random.uniform(20);
    // Follow the filament both ways from a point inside.
    for (const double way : {1.0, -1.0}) {
      Vec p = start;
      Vec direction{way * first[0], way * first[1], way * first[2]};
      for (std::uint64_t s = 0; s < steps; ++s) {
        const std::uint64_t at = 100 + 3 * (2 * s + (way > 0.0 ? 0 : 1));
        for (std::size_t d = 0; d < 3; ++d) {
          direction[d] += turn * (d == 0 ? scene.slope : 1.0) * random.normal(at + d);
        }
        direction = unit(direction);
        Vec c{};
        bool inside = true;
        for (std::size_t d = 0; d < 3; ++d) {
          p[d] += step * direction[d];
          c[d] = p[d] / voxel[d];
          inside = inside && c[d] > -reach[d] && c[d] < n[d] + reach[d];
        }
        if (!inside) break;
        // The brightest of all points that a pixel lies near, so that the profile stays a Gaussian
        // however many steps there are.
        for_each_around(image, c, reach, [&](float& out, const Vec& q) {
          double r2 = 0.0;
          for (std::size_t d = 0; d < 3; ++d) r2 += q[d] * q[d] * voxel[d] * voxel[d];
          const double v = bright * std::exp(-0.5 * r2 / (sigma * sigma));
          if (v > 1e-3) out = std::max(out, static_cast<float>(v));
        });
      }
    }
  }
  const auto brightest = std::max_element(image.values.begin(), image.values.end());
  if (brightest != image.values.end() && *brightest > 0.0F) {
    const float scale = 1.0F / *brightest;
    for (float& v : image.values) v *= scale;
  }
  return image;
}

void add_gaussian_noise(Pixels<float>& image, double sigma, std::uint64_t seed) {
  const CounterRandom random(seed, 11);
  const auto n = static_cast<std::int64_t>(image.values.size());
  parallel_for(n, thread_count(), [&](std::int64_t i) {
    const auto k = static_cast<std::size_t>(i);
    image.values[k] += static_cast<float>(sigma * random.normal(static_cast<std::uint64_t>(i)));
  });
}

void add_poisson_noise(Pixels<float>& image, double photons, std::uint64_t seed) {
  const CounterRandom random(seed, 12);
  const auto n = static_cast<std::int64_t>(image.values.size());
  parallel_for(n, thread_count(), [&](std::int64_t i) {
    const auto k = static_cast<std::size_t>(i);
    const double mean = static_cast<double>(image.values[k]) * photons;
    image.values[k] =
        static_cast<float>(poisson(mean, random, static_cast<std::uint64_t>(i)) / photons);
  });
}

}  // namespace aprscope
