#include "core/projections/least_squares.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "core/base/aligned_vector.hpp"
#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/image/fft.hpp"
#include "core/projections/tile_map.hpp"
#include "core/projections/tile_sums.hpp"

namespace aprscope {

namespace {

using Map = std::vector<float>;

// The scalar product, plane by plane and in order: same bits for any number of threads.
double dot(const Map& a, const Map& b, std::int64_t side) {
  std::vector<double> parts(static_cast<std::size_t>(side));
  const std::int64_t plane = side * side;
  parallel_for(side, threads_for(plane * side), [&](std::int64_t z) {
    double sum = 0.0;
    for (std::int64_t i = z * plane; i < (z + 1) * plane; ++i) {
      sum += static_cast<double>(a[static_cast<std::size_t>(i)]) * b[static_cast<std::size_t>(i)];
    }
    parts[static_cast<std::size_t>(z)] = sum;
  });
  double sum = 0.0;
  for (const double part : parts) sum += part;
  return sum;
}

// out = a + factor · b.
void combine(const Map& a, double factor, const Map& b, Map& out) {
  const auto f = static_cast<float>(factor);
  const auto count = static_cast<std::int64_t>(a.size());
  parallel_for(count, threads_for(count), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    out[at] = a[at] + f * b[at];
  });
}

class NormalEquations {
 public:
  NormalEquations(const InsertionPlan& plan, std::unique_ptr<Fft3> fft)
      : plan_(plan),
        side_(plan.side),
        padded_(plan.padded),
        fft_(std::move(fft)),
        point_(static_cast<std::size_t>(fft_->buffer_count())),
        weights_(point_.size()),
        work_(point_.size()) {}

  Status prepare(std::span<const float> sums, std::span<const double> means,
                 std::span<const double> tau, const JobContext& context) {
    auto p = tile_map(plan_.tiles, sums, TileValue::weight, padded_, padded_, plan_.tiles.reach(),
                      plan_.blob, context);
    if (!p) return p.error();
    // The origin moves to the corner.
    const std::int64_t c = padded_ / 2;
    parallel_for(padded_, threads_for(padded_ * padded_ * padded_), [&](std::int64_t z) {
      for (std::int64_t y = 0; y < padded_; ++y) {
        const float* const from = p->data() + (z * padded_ + y) * padded_;
        float* const to = line(point_, (z + c) % padded_, (y + c) % padded_);
        std::copy(from + c, from + padded_, to);
        std::copy(from, from + c, to + padded_ - c);
      }
    });
    if (Status ok = fft_->forward(point_, context); !ok) return ok;
    fill_weights(sums, means, tau);
    return {};
  }

  // out = p ⁎ x + T x.
  Status apply(const Map& x, Map& out, const JobContext& context) {
    return filter(x, point_, out, context);
  }
  Status precondition(const Map& x, Map& out, const JobContext& context) {
    return filter(x, weights_, out, context);
  }

 private:
  [[nodiscard]] float* line(AlignedVector<float>& buffer, std::int64_t z, std::int64_t y) const {
    return buffer.data() + (z * padded_ + y) * fft_->row();
  }

  // The spectrum of p becomes real, as it is but for rounding, and T is added; that of the
  // preconditioner is 1 ÷ (W + a tenth of the shell's mean + T) within the ball.
  void fill_weights(std::span<const float> sums, std::span<const double> means,
                    std::span<const double> tau) {
    const FrequencyTiles& tiles = plan_.tiles;
    const std::int64_t h = tiles.reach();
    parallel_for(padded_, threads_for(padded_ * padded_ * padded_), [&](std::int64_t z) {
      const std::int64_t kz = z <= padded_ / 2 ? z : z - padded_;
      for (std::int64_t y = 0; y < padded_; ++y) {
        const std::int64_t ky = y <= padded_ / 2 ? y : y - padded_;
        float* const point = line(point_, z, y);
        float* const weight = line(weights_, z, y);
        std::fill_n(weight, fft_->row(), 0.0F);
        for (std::int64_t x = 0; x <= padded_ / 2; ++x) {
          point[2 * x + 1] = 0.0F;
          if (x * x + ky * ky + kz * kz > h * h) continue;
          const std::size_t shell = shell_of(x, ky, kz);
          const double w = sums[static_cast<std::size_t>(tiles.at(x, ky, kz) + 2 * tiles.voxels())];
          const double t = tau.empty() ? 0.0 : tau[shell];
          point[2 * x] += static_cast<float>(t);
          const double sum = w + 0.1 * means[shell] + t;
          weight[2 * x] = sum > 0.0 ? static_cast<float>(1.0 / sum) : 0.0F;
        }
      }
    });
  }

  // Pads, multiplies the spectrum and crops.
  Status filter(const Map& x, const AlignedVector<float>& kernel, Map& out,
                const JobContext& context) {
    std::fill(work_.begin(), work_.end(), 0.0F);
    for (std::int64_t z = 0; z < side_; ++z) {
      for (std::int64_t y = 0; y < side_; ++y) {
        std::copy_n(x.data() + (z * side_ + y) * side_, side_, line(work_, z, y));
      }
    }
    if (Status ok = fft_->filter(work_, kernel, false, context); !ok) return ok;
    for (std::int64_t z = 0; z < side_; ++z) {
      for (std::int64_t y = 0; y < side_; ++y) {
        std::copy_n(line(work_, z, y), side_, out.data() + (z * side_ + y) * side_);
      }
    }
    return {};
  }

  const InsertionPlan& plan_;
  std::int64_t side_, padded_;
  std::unique_ptr<Fft3> fft_;
  AlignedVector<float> point_, weights_, work_;
};

}  // namespace

Result<std::vector<float>> least_squares(const InsertionPlan& plan, std::span<const float> sums,
                                         std::span<const double> weights,
                                         std::span<const double> tau, int iterations,
                                         const JobContext& context) {
  auto fft = Fft3::create({plan.padded, plan.padded, plan.padded});
  if (!fft) return fft.error();
  auto b = tile_map(plan.tiles, sums, TileValue::complex, plan.padded, plan.side,
                    plan.tiles.reach(), plan.blob, context);
  if (!b) return b.error();
  NormalEquations equations(plan, std::move(*fft));
  if (Status ok = equations.prepare(sums, weights, tau, context); !ok) return ok.error();

  Map residual = std::move(*b);
  Map x(residual.size(), 0.0F);
  Map z(residual.size());
  Map direction(residual.size(), 0.0F);
  Map image(residual.size());
  double before = 0.0;
  for (int i = 0; i < iterations; ++i) {
    if (context.stop_requested()) return cancelled_error();
    context.report(static_cast<double>(i) / iterations, "Least squares");
    if (Status ok = equations.precondition(residual, z, context); !ok) return ok.error();
    const double now = dot(residual, z, plan.side);
    if (!(now > 0.0)) break;
    combine(z, before > 0.0 ? now / before : 0.0, direction, direction);
    before = now;
    if (Status ok = equations.apply(direction, image, context); !ok) return ok.error();
    const double curvature = dot(direction, image, plan.side);
    if (!(curvature > 0.0)) break;
    combine(x, now / curvature, direction, x);
    combine(residual, -now / curvature, image, residual);
  }
  return x;
}

std::uint64_t least_squares_bytes(const InsertionPlan& plan) {
  const auto p = static_cast<std::uint64_t>(plan.padded);
  const auto n = static_cast<std::uint64_t>(plan.side);
  // Three padded boxes, a map, and the larger of: the box of p with its transform; four more maps.
  return 3 * 4 * p * p * (p + 34) +
         std::max(tile_map_bytes(plan.padded, plan.padded, plan.tiles.reach()), 4 * 4 * n * n * n) +
         4 * n * n * n;
}

}  // namespace aprscope
