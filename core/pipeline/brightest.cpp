#include "core/pipeline/brightest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <variant>
#include <vector>

namespace aprscope {
namespace {

using Vector = std::array<double, 3>;  // z, x, y

struct Largest {
  float value = -std::numeric_limits<float>::infinity();
  std::optional<std::size_t> at;

  void take(float candidate, std::size_t index) {
    if (std::isnan(candidate) || (at && !(candidate > value))) return;
    value = candidate;
    at = index;
  }
};

// For particles: the first pixel of the cell with the largest value.
std::optional<Index3> largest_cell(const AprAccess& access, const std::vector<float>& values) {
  Largest found;
  for (std::size_t i = 0; i < values.size(); ++i) found.take(values[i], i);
  if (!found.at) return std::nullopt;
  const LinearAccess& cells = access.particles();
  for (int level = cells.level_first(); level <= cells.level_last(); ++level) {
    const std::int64_t side = std::int64_t{1} << (cells.level_max() - level);
    const Size3& grid = cells.grid(level);
    for (std::int64_t z = 0; z < grid.z; ++z) {
      for (std::int64_t x = 0; x < grid.x; ++x) {
        const ParticleRange row = cells.row(level, z, x);
        if (*found.at < row.begin || *found.at >= row.end) continue;
        return Index3{z * side, x * side, static_cast<std::int64_t>(cells.y()[*found.at]) * side};
      }
    }
  }
  return std::nullopt;
}

// A ray in pixels of the image: origin and direction.
struct Line {
  Vector from;
  Vector along;
};

Line line_through(const RayCamera& camera, const VoxelSize& voxel, double u, double v) {
  const Vector steps{voxel.z, voxel.x, voxel.y};
  const double height = camera.perspective
                            ? 2.0 * std::tan(camera.view_angle_degrees * std::numbers::pi / 360.0)
                            : camera.height_world;
  Line line{};
  for (std::size_t a = 0; a < 3; ++a) {  // y, x, z
    const double offset = height * (u * camera.right[a] + v * camera.up[a]);
    const double from = camera.perspective ? camera.eye[a] : camera.eye[a] + offset;
    const double along = camera.perspective ? camera.forward[a] + offset : camera.forward[a];
    line.from[2 - a] = from / steps[2 - a];
    line.along[2 - a] = along / steps[2 - a];
  }
  return line;
}

// The pixels that a camera sees of an image.
Region seen_of(const RayCamera& camera, const Size3& size) {
  if (!camera.only) return whole(size);
  const auto& [begin, end] = *camera.only;
  return {{std::max<std::int64_t>(0, begin.z), std::max<std::int64_t>(0, begin.x),
           std::max<std::int64_t>(0, begin.y)},
          {std::min(size.z, end.z), std::min(size.x, end.x), std::min(size.y, end.y)}};
}

// The stretch of the line inside a box, if any.
std::optional<std::pair<double, double>> inside(const Line& line, const Region& box,
                                                double earliest) {
  const Vector low{static_cast<double>(box.begin.z), static_cast<double>(box.begin.x),
                   static_cast<double>(box.begin.y)};
  const Vector high{static_cast<double>(box.end.z), static_cast<double>(box.end.x),
                    static_cast<double>(box.end.y)};
  double begin = earliest;
  double end = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < 3; ++a) {
    if (low[a] >= high[a]) return std::nullopt;
    if (line.along[a] == 0.0) {
      if (line.from[a] < low[a] || line.from[a] >= high[a]) return std::nullopt;
      continue;
    }
    const double t0 = (low[a] - line.from[a]) / line.along[a];
    const double t1 = (high[a] - line.from[a]) / line.along[a];
    begin = std::max(begin, std::min(t0, t1));
    end = std::min(end, std::max(t0, t1));
  }
  if (!(begin < end) || !std::isfinite(end)) return std::nullopt;
  return std::pair(begin, end);
}

}  // namespace

Result<std::optional<Index3>> brightest(const Dataset& data, const JobContext& context) {
  if (data.is_apr()) return largest_cell(*data.apr().access, data.values().particles());
  const Volume& volume = data.volume();
  const Size3 size = volume.size();
  Largest found;
  const auto plane = static_cast<std::size_t>(size.x * size.y);
  const bool whole = std::visit(
      [&](const auto& pixels) {
        for (std::int64_t z = 0; z < size.z; ++z) {
          if (context.stop_requested()) return false;
          const std::size_t begin = static_cast<std::size_t>(z) * plane;
          for (std::size_t i = begin; i < begin + plane; ++i) {
            found.take(static_cast<float>(pixels.values[i]), i);
          }
        }
        return true;
      },
      volume.pixels);
  if (!whole) return cancelled_error();
  if (!found.at) return std::optional<Index3>();
  const auto at = static_cast<std::int64_t>(*found.at);
  return std::optional(Index3{at / (size.x * size.y), at / size.y % size.x, at % size.y});
}

namespace {

// The pixels along a ray that the camera sees, from one to the next, none left out (Amanatides and
// Woo 1987), each with the length of the ray in it in world units, as long as `go_on` says so.
template <class GoOn>
void walk_along(const Dataset& data, const RayCamera& camera, double u, double v,
                const GoOn& go_on) {
  const Region box = seen_of(camera, data.size());
  const Line line = line_through(camera, data.voxel(), u, v);
  constexpr double kBackwards = -1e18;
  const auto range = inside(line, box, camera.perspective ? 0.0 : kBackwards);
  if (!range) return;
  const std::array<std::int64_t, 3> low{box.begin.z, box.begin.x, box.begin.y};
  const std::array<std::int64_t, 3> high{box.end.z, box.end.x, box.end.y};
  std::array<std::int64_t, 3> at{};
  std::array<std::int64_t, 3> step{};
  Vector next{};
  for (std::size_t a = 0; a < 3; ++a) {
    const double entry = line.from[a] + range->first * line.along[a];
    at[a] =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(entry)), low[a], high[a] - 1);
    step[a] = line.along[a] > 0.0 ? 1 : line.along[a] < 0.0 ? -1 : 0;
    const double edge = static_cast<double>(at[a]) + (step[a] > 0 ? 1.0 : 0.0);
    next[a] = step[a] != 0 ? (edge - line.from[a]) / line.along[a]
                           : std::numeric_limits<double>::infinity();
  }
  const double step_length =
      std::hypot(line.along[0] * data.voxel().z, line.along[1] * data.voxel().x,
                 line.along[2] * data.voxel().y);
  double entered = range->first;
  for (;;) {
    const double left = std::min({next[0], next[1], next[2], range->second});
    const double length = std::max(0.0, left - entered) * step_length;
    if (!go_on(Index3{at[0], at[1], at[2]}, length)) return;
    entered = left;
    const std::size_t a = next[0] <= next[1] && next[0] <= next[2] ? 0 : next[1] <= next[2] ? 1 : 2;
    at[a] += step[a];
    if (step[a] == 0 || at[a] < low[a] || at[a] >= high[a]) return;
    next[a] += static_cast<double>(step[a]) / line.along[a];
  }
}

}  // namespace

std::optional<Index3> brightest_along(const Dataset& data, const RayCamera& camera, double u,
                                      double v) {
  Largest found;
  std::optional<Index3> where;
  std::size_t i = 0;
  walk_along(data, camera, u, v, [&](const Index3& p, double) {
    found.take(data.probe(p).value, i);
    if (found.at == i++) where = p;
    return true;
  });
  return where;
}

std::optional<Index3> first_along(const Dataset& data, const RayCamera& camera, double u, double v,
                                  const LevelSet& set) {
  std::optional<Index3> where;
  walk_along(data, camera, u, v, [&](const Index3& p, double) {
    if (set.contains(static_cast<double>(data.probe(p).value))) where = p;
    return !where;
  });
  return where;
}

std::optional<SeenMatter> seen_along(const Dataset& data, const RayCamera& camera, double u,
                                     double v, const Translucency& translucency) {
  struct Glow {
    Index3 place;
    float brightness = 0.0F;
  };
  const detail::RayMatter matter = detail::matter_of(translucency);
  detail::RayLight light;
  std::vector<Glow> glows;
  walk_along(data, camera, u, v, [&](const Index3& p, double length) {
    const float value = data.probe(p).value;
    if (value > matter.floor) {
      glows.push_back(
          {p, light.add(matter, value, static_cast<float>(length * matter.per_length))});
    }
    return light.through > detail::kDark;
  });
  float sum = 0.0F;
  for (const Glow& glow : glows) {
    sum += glow.brightness;
    if (sum > 0.0F && sum >= 0.5F * light.brightness) {
      return SeenMatter{glow.place, light.brightness};
    }
  }
  return std::nullopt;
}

}  // namespace aprscope
