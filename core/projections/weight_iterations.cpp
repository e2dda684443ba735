#include "core/projections/weight_iterations.hpp"

#include <algorithm>
#include <cmath>
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

class Weights {
 public:
  Weights(const InsertionPlan& plan, std::unique_ptr<Fft3> fft)
      : tiles_(plan.tiles),
        padded_(plan.padded),
        fft_(std::move(fft)),
        box_(static_cast<std::size_t>(fft_->buffer_count())),
        window_(window_of(plan)),
        sums_(static_cast<std::size_t>(tiles_.count() * tiles_.voxels())),
        weights_(sums_.size()) {}

  // 1 ÷ (W + tau).
  void begin(std::span<const float> sums, std::span<const double> tau) {
    const std::int64_t n = tiles_.voxels();
    each([&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t at, std::size_t place) {
      const double weight = sums[static_cast<std::size_t>(at + 2 * n)] + tau[shell_of(x, y, z)];
      sums_[place] = static_cast<float>(weight);
      weights_[place] = weight > 0.0 ? static_cast<float>(1.0 / weight) : 0.0F;
    });
  }

  Status improve(const JobContext& context) {
    std::fill(box_.begin(), box_.end(), 0.0F);
    each([&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t, std::size_t place) {
      // Both ends of an axis, ±padded / 2, are one frequency; only the positive one is used.
      if (2 * y == -padded_ || 2 * z == -padded_) return;
      box_[number(x, y, z)] = sums_[place] * weights_[place];
    });
    if (Status ok = fft_->inverse(box_, context); !ok) return ok;
    smooth();
    if (Status ok = fft_->forward(box_, context); !ok) return ok;
    // The smoothed product is near 1; the limit keeps weights finite where there is hardly any.
    constexpr float kLeast = 1e-6F;
    each([&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t, std::size_t place) {
      weights_[place] /= std::max(std::abs(box_[number(x, y, z)]), kLeast);
    });
    return {};
  }

  // G w in place of G.
  void apply(std::span<float> sums) const {
    const std::int64_t n = tiles_.voxels();
    each([&](std::int64_t, std::int64_t, std::int64_t, std::int64_t at, std::size_t place) {
      sums[static_cast<std::size_t>(at)] *= weights_[place];
      sums[static_cast<std::size_t>(at + n)] *= weights_[place];
    });
  }

 private:
  // The blob's transform at squared distances from the origin of the padded box.
  static std::vector<double> window_of(const InsertionPlan& plan) {
    const std::int64_t half = plan.padded / 2;
    return window_table(plan.blob, 3 * half * half + 1, 1.0, plan.padded);
  }

  // Calls work(x, y, z, at, place): where Re G lies among the sums, and which of the tiles' voxels
  // it is.
  template <class Work>
  void each(const Work& work) const {
    const std::int64_t others = tiles_.stride() - tiles_.voxels();
    parallel_each(tiles_.count(), thread_count(), [&](std::int64_t tile, int) {
      each_voxel(tiles_, tile,
                 [&](std::int64_t x, std::int64_t y, std::int64_t z, std::int64_t at) {
                   work(x, y, z, at, static_cast<std::size_t>(at - tile * others));
                 });
    });
  }

  // Where the real part of a frequency lies in the box.
  [[nodiscard]] std::size_t number(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const std::int64_t row = (z < 0 ? z + padded_ : z) * padded_ + (y < 0 ? y + padded_ : y);
    return static_cast<std::size_t>(row * fft_->row() + 2 * x);
  }

  // Convolution with the blob is multiplication with its transform.
  void smooth() {
    const auto from_origin = [this](std::int64_t i) { return i <= padded_ / 2 ? i : i - padded_; };
    parallel_for(padded_, threads_for(padded_ * padded_ * padded_), [&](std::int64_t z) {
      const std::int64_t dz = from_origin(z);
      for (std::int64_t y = 0; y < padded_; ++y) {
        const std::int64_t dy = from_origin(y);
        float* const row = box_.data() + (z * padded_ + y) * fft_->row();
        for (std::int64_t x = 0; x < padded_; ++x) {
          const std::int64_t dx = from_origin(x);
          row[x] *=
              static_cast<float>(window_[static_cast<std::size_t>(dz * dz + dy * dy + dx * dx)]);
        }
      }
    });
  }

  const FrequencyTiles& tiles_;
  std::int64_t padded_;
  std::unique_ptr<Fft3> fft_;
  AlignedVector<float> box_;
  std::vector<double> window_;
  std::vector<float> sums_, weights_;  // W + tau and w: a number for each voxel of the tiles
};

}  // namespace

Result<std::vector<float>> weight_iterations(const InsertionPlan& plan, std::span<const float> sums,
                                             std::span<const double> tau, int iterations,
                                             const JobContext& context) {
  std::vector<float> used(sums.begin(), sums.end());
  {
    auto fft = Fft3::create({plan.padded, plan.padded, plan.padded});
    if (!fft) return fft.error();
    Weights weights(plan, std::move(*fft));
    weights.begin(sums, tau);
    for (int i = 0; i < iterations; ++i) {
      if (context.stop_requested()) return cancelled_error();
      context.report(static_cast<double>(i) / iterations, "Weights");
      if (Status ok = weights.improve(context); !ok) return ok.error();
    }
    weights.apply(used);
  }
  return tile_map(plan.tiles, used, TileValue::complex, plan.padded, plan.side, plan.tiles.reach(),
                  plan.blob, context);
}

std::uint64_t weight_iterations_bytes(const InsertionPlan& plan) {
  const auto p = static_cast<std::uint64_t>(plan.padded);
  const auto sums = static_cast<std::uint64_t>(plan.tiles.floats()) * sizeof(float);
  // A padded box, the window by squared distance, two numbers a voxel; or a map's transform.
  const std::uint64_t work = 4 * p * p * (p + 34) + 6 * p * p + sums;
  return std::max(work, tile_map_bytes(plan.padded, plan.side, plan.tiles.reach()));
}

}  // namespace aprscope
