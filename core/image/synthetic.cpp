#include "core/image/synthetic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/image/direction.hpp"
#include "core/image/random.hpp"

namespace aprscope {
namespace {

using namespace direction;  // NOLINT: sources of this folder share its words

// The scene under construction: a float volume, its options and the smallest dimension that is
// not 1.
struct Scene {
  Pixels<float> pixels;
  SyntheticOptions options;
  double unit_length = 1.0;
  JobContext context;

  [[nodiscard]] Vec extent() const {
    return {static_cast<double>(pixels.size.z), static_cast<double>(pixels.size.x),
            static_cast<double>(pixels.size.y)};
  }
};

// Calls `shade` for the pixels of the box of half-size r about c; keeps the brighter value.
void draw(Scene& scene, const Vec& c, const Vec& r,
          const std::function<double(const Vec&)>& shade) {
  const Vec n = scene.extent();
  std::array<std::int64_t, 3> lo{};
  std::array<std::int64_t, 3> hi{};
  for (std::size_t d = 0; d < 3; ++d) {
    lo[d] = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(c[d] - r[d])));
    hi[d] = std::min(static_cast<std::int64_t>(n[d]) - 1,
                     static_cast<std::int64_t>(std::ceil(c[d] + r[d])));
  }
  for (std::int64_t z = lo[0]; z <= hi[0]; ++z) {
    for (std::int64_t x = lo[1]; x <= hi[1]; ++x) {
      for (std::int64_t y = lo[2]; y <= hi[2]; ++y) {
        const Vec p{static_cast<double>(z) - c[0], static_cast<double>(x) - c[1],
                    static_cast<double>(y) - c[2]};
        float& out = scene.pixels.at(z, x, y);
        out = std::max(out, static_cast<float>(shade(p)));
      }
    }
  }
}

Vec random_position(const Scene& scene, const CounterRandom& random, std::uint64_t first,
                    double margin) {
  const Vec n = scene.extent();
  Vec p{};
  for (std::size_t d = 0; d < 3; ++d) {
    const double m = std::min(margin, 0.25 * n[d]);
    p[d] = n[d] <= 1 ? 0.0 : m + random.uniform(first + d) * (n[d] - 1 - 2 * m);
  }
  return p;
}

// Distances along z count more where the slices are further apart.
double anisotropy(const Scene& scene) {
  const VoxelSize& v = scene.options.voxel;
  return std::clamp(v.y > 0 && v.z > 0 ? v.z / v.y : 1.0, 0.25, 8.0);
}

void add_spheres(Scene& scene, int count) {
  for (int i = 0; i < count && !scene.context.stop_requested(); ++i) {
    const CounterRandom random(scene.options.seed, 100 + static_cast<std::uint64_t>(i));
    const double radius = scene.unit_length * (0.03 + 0.06 * random.uniform(3));
    const double bright = 0.4 + 0.6 * random.uniform(4);
    draw(scene, random_position(scene, random, 0, radius), {radius, radius, radius},
         [&](const Vec& p) { return dot(p, p) <= radius * radius ? bright : 0.0; });
  }
}

// Ellipsoidal nuclei of varying brightness with a mottled texture and dark nucleoli.
void add_cells(Scene& scene, int count) {
  const double flat = anisotropy(scene);
  std::vector<Vec> centres;
  std::vector<double> radii;
  for (int i = 0; i < count && !scene.context.stop_requested(); ++i) {
    const CounterRandom random(scene.options.seed, 1000 + static_cast<std::uint64_t>(i));
    const double radius = scene.unit_length * (0.045 + 0.03 * random.uniform(0));
    Vec c{};
    bool free = false;
    for (std::uint64_t attempt = 0; attempt < 40 && !free; ++attempt) {
      c = random_position(scene, random, 100 + 3 * attempt, radius);
      free = true;
      for (std::size_t k = 0; k < centres.size() && free; ++k) {
        const Vec d{(c[0] - centres[k][0]) * flat, c[1] - centres[k][1], c[2] - centres[k][2]};
        free = std::sqrt(dot(d, d)) > 1.05 * (radius + radii[k]);
      }
    }
    if (!free) continue;
    centres.push_back(c);
    radii.push_back(radius);
    const double bright = 0.45 + 0.55 * random.uniform(1);
    const Vec a = unit({0.2 * random.normal(10), random.normal(11), random.normal(12)});
    const double stretch = 1.0 + 0.5 * random.uniform(2);
    const Vec spot{0.3 * radius * random.normal(20), 0.3 * radius * random.normal(21),
                   0.3 * radius * random.normal(22)};
    const double phase = 6.0 * random.uniform(5);
    const double reach = radius * stretch;
    draw(scene, c, {reach / flat, reach, reach}, [&](const Vec& q) {
      const Vec p{q[0] * flat, q[1], q[2]};
      const double along = dot(p, a);
      const double across2 = dot(p, p) - along * along;
      const double r2 = (along * along / (stretch * stretch) + across2) / (radius * radius);
      if (r2 > 1.0) return 0.0;
      const double f = 7.0 / radius;
      const double mottle =
          1.0 + 0.16 * std::sin(f * p[1] + phase) * std::sin(f * p[2] - phase) * std::cos(f * p[0]);
      const Vec s{p[0] - spot[0], p[1] - spot[1], p[2] - spot[2]};
      const double nucleolus = dot(s, s) < 0.05 * radius * radius ? 0.55 : 1.0;
      return bright * mottle * nucleolus * (1.0 - 0.25 * r2);
    });
  }
}

void add_cylinders(Scene& scene, int count) {
  const Vec n = scene.extent();
  for (int i = 0; i < count && !scene.context.stop_requested(); ++i) {
    const CounterRandom random(scene.options.seed, 5000 + static_cast<std::uint64_t>(i));
    const double radius = scene.unit_length * (0.05 + 0.05 * random.uniform(3));
    const double wall = std::max(1.0, 0.25 * radius);
    const double half = scene.unit_length * (0.15 + 0.2 * random.uniform(4));
    const Vec axis = unit({random.normal(5), random.normal(6), random.normal(7)});
    const double bright = 0.4 + 0.6 * random.uniform(8);
    const double reach = half + radius;
    const Vec box{std::min(reach, n[0]), std::min(reach, n[1]), std::min(reach, n[2])};
    draw(scene, random_position(scene, random, 0, radius), box, [&](const Vec& p) {
      const double along = dot(p, axis);
      const double across = std::sqrt(std::max(0.0, dot(p, p) - along * along));
      return std::abs(along) <= half && across <= radius && across >= radius - wall ? bright : 0.0;
    });
  }
}

// Smooth random curves, one pixel wide.
void add_microtubules(Scene& scene, int count) {
  const Vec n = scene.extent();
  for (int i = 0; i < count && !scene.context.stop_requested(); ++i) {
    const CounterRandom random(scene.options.seed, 9000 + static_cast<std::uint64_t>(i));
    Vec p = random_position(scene, random, 0, 0.0);
    Vec direction = unit({0.3 * random.normal(3), random.normal(4), random.normal(5)});
    // A line loses this factor to the blur across it.
    const double blurred = 2.0 * std::numbers::pi * scene.options.blur * scene.options.blur;
    const double bright = (0.5 + 0.5 * random.uniform(6)) * std::max(1.0, blurred);
    const auto steps = static_cast<std::uint64_t>(3.0 * std::max(n[1], n[2]));
    for (std::uint64_t s = 0; s < steps; ++s) {
      for (std::size_t d = 0; d < 3; ++d) {
        direction[d] += (d == 0 ? 0.005 : 0.02) * random.normal(100 + 3 * s + d);
      }
      direction = unit(direction);
      bool inside = true;
      for (std::size_t d = 0; d < 3; ++d) {
        p[d] += 0.5 * direction[d];
        inside = inside && p[d] > -1.0 && p[d] < n[d];
      }
      if (!inside) break;
      const Vec at{std::clamp(std::round(p[0]), 0.0, n[0] - 1), std::round(p[1]), std::round(p[2])};
      draw(scene, at, {0, 0, 0}, [&](const Vec&) { return bright; });
    }
  }
}

void gaussian_blur(Pixels<float>& image, double sigma, const JobContext& context) {
  if (!(sigma > 0.0)) return;
  const int radius = static_cast<int>(std::ceil(3.0 * sigma));
  std::vector<float> weights(static_cast<std::size_t>(2 * radius + 1));
  double sum = 0.0;
  for (int i = -radius; i <= radius; ++i) sum += std::exp(-0.5 * i * i / (sigma * sigma));
  for (int i = -radius; i <= radius; ++i) {
    weights[static_cast<std::size_t>(i + radius)] =
        static_cast<float>(std::exp(-0.5 * i * i / (sigma * sigma)) / sum);
  }
  for (const Axis axis : {Axis::y, Axis::x, Axis::z}) {
    const std::int64_t length = plane_count(image.size, axis);
    if (length == 1) continue;
    const std::int64_t stride = axis == Axis::z   ? image.size.x * image.size.y
                                : axis == Axis::x ? image.size.y
                                                  : 1;
    const std::int64_t lines = image.size.count() / length;
    parallel_stretches(lines, thread_count(), [&](std::int64_t begin, std::int64_t end, int) {
      std::vector<float> padded(static_cast<std::size_t>(length + 2 * radius));
      for (std::int64_t k = begin; k < end; ++k) {
        if (context.stop_requested()) return;
        float* const start = image.values.data() + k / stride * stride * length + k % stride;
        for (std::int64_t i = -radius; i < length + radius; ++i) {
          padded[static_cast<std::size_t>(i + radius)] =
              start[std::clamp<std::int64_t>(i, 0, length - 1) * stride];
        }
        for (std::int64_t i = 0; i < length; ++i) {
          float v = 0.0F;
          for (std::size_t w = 0; w < weights.size(); ++w) {
            v += weights[w] * padded[static_cast<std::size_t>(i) + w];
          }
          start[i * stride] = v;
        }
      }
    });
  }
}

Pixels<std::uint16_t> expose(const Scene& scene) {
  const SyntheticOptions& options = scene.options;
  const Size3& size = scene.pixels.size;
  Pixels<std::uint16_t> out(size);
  const CounterRandom random(options.seed, 7);
  parallel_for(size.z * size.x, thread_count(), [&](std::int64_t row) {
    if (scene.context.stop_requested()) return;
    for (std::int64_t i = row * size.y; i < (row + 1) * size.y; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const double light = options.signal * scene.pixels.values[k];
      const double shot = options.shot_noise ? light : 0.0;
      const double sigma = std::sqrt(options.noise * options.noise + shot);
      const double v =
          options.background + light + sigma * random.normal(static_cast<std::uint64_t>(i));
      out.values[k] = static_cast<std::uint16_t>(std::clamp(std::round(v), 0.0, 65535.0));
    }
  });
  return out;
}

}  // namespace

const std::vector<std::string>& synthetic_kinds() {
  static const std::vector<std::string> kinds{"cylinders", "spheres", "microtubules", "cells",
                                              "noise"};
  return kinds;
}

Result<Volume> make_synthetic(const std::string& kind, const SyntheticOptions& options,
                              const JobContext& context) {
  const auto& kinds = synthetic_kinds();
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    return Error{"'" + kind + "' is not a kind of synthetic image", "synth",
                 "use cylinders, spheres, microtubules, cells or noise"};
  }
  const Size3& n = options.size;
  const auto in_range = [](std::int64_t v) { return v >= 1 && v <= 65535; };
  if (!in_range(n.z) || !in_range(n.x) || !in_range(n.y)) {
    return Error{"every dimension must be between 1 and 65535 pixels", "synth",
                 "choose another size"};
  }
  const auto grey = [](double v) { return v >= 0.0 && v <= 65535.0; };  // not NaN either
  if (!grey(options.background) || !grey(options.signal) || !grey(options.noise)) {
    return Error{"background, signal and noise must be between 0 and 65535", "synth",
                 "correct the number"};
  }
  if (!(options.blur >= 0.0 && options.blur <= 50.0)) {
    return Error{"the blur must be between 0 and 50 pixels", "synth", "correct the number"};
  }
  const double pixels =
      static_cast<double>(n.z) * static_cast<double>(n.x) * static_cast<double>(n.y);
  const std::uint64_t free = available_bytes();
  if (free > 0 && pixels * 7.0 > static_cast<double>(free)) {
    return Error{"needs " + format_bytes(static_cast<std::uint64_t>(pixels * 7.0)) +
                     " of memory, " + format_bytes(free) + " are free",
                 "synth", "choose a smaller size"};
  }
  Scene scene{Pixels<float>(n), options, 1.0, context};
  const double in_plane = static_cast<double>(n.x == 1 ? n.y : std::min(n.x, n.y));
  scene.unit_length = std::min(in_plane, 256.0);
  // About as dense as in a 256² field, whatever the size.
  const double fields = pixels / (256.0 * 256.0 * std::max(1.0, std::min<double>(64.0, n.z)));
  const int objects = options.objects > 0
                          ? options.objects
                          : std::max(3, static_cast<int>(std::lround(40.0 * fields)));
  if (kind == "spheres") add_spheres(scene, objects);
  if (kind == "cells") add_cells(scene, objects);
  if (kind == "cylinders") add_cylinders(scene, objects);
  if (kind == "microtubules") add_microtubules(scene, objects);
  context.report(0.3, "blurring");
  gaussian_blur(scene.pixels, options.blur, context);
  if (context.stop_requested()) return cancelled_error();
  context.report(0.6, "exposing");

  Volume volume;
  volume.pixels = expose(scene);
  if (context.stop_requested()) return cancelled_error();
  volume.voxel = options.voxel;
  volume.name = kind;
  return volume;
}

Volume demo_image() {
  SyntheticOptions options;
  options.size = {64, 320, 320};
  options.seed = 20;
  options.objects = 24;
  options.blur = 1.2;
  options.noise = 8.0;
  Volume volume = make_synthetic("cells", options).value();
  volume.name = "demo cells";
  return volume;
}

}  // namespace aprscope
