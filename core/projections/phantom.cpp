#include "core/projections/phantom.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "core/base/parallel.hpp"

namespace aprscope {
namespace {

// Beyond so many σ an atom is less than 1e-13 of its peak.
constexpr double kReach = 8.0;

// A Gaussian on one axis: places first … first + values.size() − 1.
struct Profile {
  std::int64_t first = 0;
  std::vector<double> values;
};

Profile profile(double at, double sigma, std::int64_t side) {
  const std::int64_t middle = side / 2;
  const double centre = at + static_cast<double>(middle);
  const auto limit = [&](double place) {
    return static_cast<std::int64_t>(std::clamp(place, 0.0, static_cast<double>(side)));
  };
  Profile line;
  line.first = limit(std::ceil(centre - kReach * sigma));
  const std::int64_t end = limit(std::floor(centre + kReach * sigma) + 1.0);
  for (std::int64_t i = line.first; i < end; ++i) {
    const double d = static_cast<double>(i) - centre;
    line.values.push_back(std::exp(-d * d / (2.0 * sigma * sigma)));
  }
  return line;
}

}  // namespace

std::vector<float> phantom_map(std::span<const Atom> atoms, std::int64_t side) {
  struct Lines {
    Profile x, y, z;
    double weight;
  };
  std::vector<Lines> lines;
  for (const Atom& atom : atoms) {
    lines.push_back({profile(atom.at[0], atom.sigma, side), profile(atom.at[1], atom.sigma, side),
                     profile(atom.at[2], atom.sigma, side), atom.weight});
  }
  const std::int64_t plane = side * side;
  std::vector<float> map(static_cast<std::size_t>(side * plane));
  parallel_stretches(
      side, threads_for(side * plane), [&](std::int64_t begin, std::int64_t end, int) {
        std::vector<double> sum(static_cast<std::size_t>(plane));
        for (std::int64_t z = begin; z < end; ++z) {
          std::fill(sum.begin(), sum.end(), 0.0);
          for (const Lines& atom : lines) {
            const std::int64_t at = z - atom.z.first;
            if (at < 0 || at >= static_cast<std::int64_t>(atom.z.values.size())) continue;
            const double deep = atom.weight * atom.z.values[static_cast<std::size_t>(at)];
            for (std::size_t y = 0; y < atom.y.values.size(); ++y) {
              double* const row =
                  sum.data() + (atom.y.first + static_cast<std::int64_t>(y)) * side + atom.x.first;
              const double factor = deep * atom.y.values[y];
              for (std::size_t x = 0; x < atom.x.values.size(); ++x)
                row[x] += factor * atom.x.values[x];
            }
          }
          for (std::int64_t i = 0; i < plane; ++i) {
            map[static_cast<std::size_t>(z * plane + i)] =
                static_cast<float>(sum[static_cast<std::size_t>(i)]);
          }
        }
      });
  return map;
}

void phantom_projection(std::span<const Atom> atoms, const Rotation& orientation, std::int64_t side,
                        double shift_x, double shift_y, std::span<float> out) {
  std::vector<double> sum(out.size());
  for (const Atom& atom : atoms) {
    const Vector3 p = orientation * atom.at;
    const Profile x = profile(p[0] - shift_x, atom.sigma, side);
    const Profile y = profile(p[1] - shift_y, atom.sigma, side);
    const double height = atom.weight * atom.sigma * std::sqrt(2.0 * std::numbers::pi);
    for (std::size_t j = 0; j < y.values.size(); ++j) {
      double* const row = sum.data() + (y.first + static_cast<std::int64_t>(j)) * side + x.first;
      const double factor = height * y.values[j];
      for (std::size_t i = 0; i < x.values.size(); ++i) row[i] += factor * x.values[i];
    }
  }
  std::copy(sum.begin(), sum.end(), out.begin());
}

}  // namespace aprscope
