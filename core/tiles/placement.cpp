#include "core/tiles/placement.hpp"

#include <algorithm>
#include <cmath>

namespace aprscope {
namespace {

// Distances off from which on a link begins to lose its weight, in pixels.
constexpr double kScale = 1.0;
constexpr int kRounds = 30;
// Weight of the nominal positions beside links: what links say nothing of stays as it is.
constexpr double kNominal = 1e-6;

// Solves Σ w (x_b − x_a − d)² + ε Σ (x − n)² → min for one dimension by conjugate gradients: the
// matrix is the Laplacian of the graph, plus ε.
std::vector<double> solve(const std::vector<double>& nominal, const std::vector<TileLink>& links,
                          const std::vector<double>& weights, std::size_t dimension) {
  const std::size_t n = nominal.size();
  std::vector<double> right(n, 0.0);
  // In ways from the nominal positions, which begins close to the solution.
  for (std::size_t i = 0; i < links.size(); ++i) {
    const TileLink& link = links[i];
    const double rest = link.way[dimension] - (nominal[link.second] - nominal[link.first]);
    right[link.second] += weights[i] * rest;
    right[link.first] -= weights[i] * rest;
  }
  const auto multiply = [&](const std::vector<double>& x, std::vector<double>& out) {
    for (std::size_t i = 0; i < n; ++i) out[i] = kNominal * x[i];
    for (std::size_t i = 0; i < links.size(); ++i) {
      const double flow = weights[i] * (x[links[i].second] - x[links[i].first]);
      out[links[i].second] += flow;
      out[links[i].first] -= flow;
    }
  };
  const auto dot = [&](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  };
  std::vector<double> x(n, 0.0), residual = right, direction = right, product(n, 0.0);
  double square = dot(residual, residual);
  const double enough = 1e-18 * std::max(1.0, square);
  for (std::size_t step = 0; step < 10 * n + 10 && square > enough; ++step) {
    multiply(direction, product);
    const double length = square / dot(direction, product);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += length * direction[i];
      residual[i] -= length * product[i];
    }
    const double next = dot(residual, residual);
    for (std::size_t i = 0; i < n; ++i) {
      direction[i] = residual[i] + next / square * direction[i];
    }
    square = next;
  }
  for (std::size_t i = 0; i < n; ++i) x[i] += nominal[i];
  return x;
}

}  // namespace

double distance_off(const std::vector<TilePosition>& positions, const TileLink& link) {
  double square = 0.0;
  for (std::size_t d = 0; d < 3; ++d) {
    const double off = positions[link.second][d] - positions[link.first][d] - link.way[d];
    square += off * off;
  }
  return std::sqrt(square);
}

std::vector<TilePosition> place_tiles(const std::vector<TilePosition>& nominal,
                                      std::vector<TileLink>& links, double most_off) {
  std::vector<TilePosition> positions = nominal;
  std::vector<double> weights;
  for (const TileLink& link : links) weights.push_back(link.weight);
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<TilePosition> before = positions;
    for (std::size_t d = 0; d < 3; ++d) {
      std::vector<double> at;
      for (const TilePosition& p : nominal) at.push_back(p[d]);
      const std::vector<double> found = solve(at, links, weights, d);
      for (std::size_t i = 0; i < found.size(); ++i) positions[i][d] = found[i];
    }
    double moved = 0.0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      for (std::size_t d = 0; d < 3; ++d) {
        moved = std::max(moved, std::abs(positions[i][d] - before[i][d]));
      }
    }
    if (round > 0 && moved < 1e-4) break;
    for (std::size_t i = 0; i < links.size(); ++i) {
      const double off = distance_off(positions, links[i]) / kScale;
      weights[i] = links[i].weight / (1.0 + off * off);
    }
  }
  for (TileLink& link : links) {
    if (distance_off(positions, link) > most_off) link.weight = 0.0;
  }
  return positions;
}

}  // namespace aprscope
