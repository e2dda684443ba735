#include "core/maps/local_resolution.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "core/base/aligned_vector.hpp"
#include "core/base/parallel.hpp"
#include "core/image/fft.hpp"
#include "core/maps/map_spectrum.hpp"
#include "core/maps/raised_cosine.hpp"
#include "core/maps/shells.hpp"

namespace aprscope {
namespace {

constexpr float kNyquist = 2.0F;  // voxels
constexpr float kInside = 0.5F;

// Boxes of both maps round a place, and their transform; each thread has its own.
struct Box {
  std::unique_ptr<Fft3> fft;
  AlignedVector<float> first, second;
};

class LocalCorrelation {
 public:
  LocalCorrelation(std::span<const float> first, std::span<const float> second, std::int64_t side,
                   const LocalResolutionSettings& settings)
      : first_(first), second_(second), side_(side), settings_(settings) {
    // The box is even, so that its middle is a voxel, and a voxel wider than the ball.
    const auto reach = static_cast<std::int64_t>(std::ceil(settings.radius));
    box_ = Fft3::good_size({2 * reach + 2, 1, 1}).z;
    box_ += box_ % 2;
    const std::int64_t middle = box_ / 2;
    const auto at = [&](std::int64_t i) { return static_cast<double>(i - middle); };
    for (std::int64_t z = 0; z < box_; ++z) {
      for (std::int64_t y = 0; y < box_; ++y) {
        for (std::int64_t x = 0; x < box_; ++x) {
          const double distance = std::hypot(at(z), at(y), at(x));
          ball_.push_back(
              static_cast<float>(raised_cosine(distance, 0.7 * settings.radius, settings.radius)));
        }
      }
    }
    const auto wrapped = [&](std::int64_t i) { return 2 * i <= box_ ? i : i - box_; };
    for (std::int64_t z = 0; z < box_; ++z) {
      for (std::int64_t y = 0; y < box_; ++y) {
        for (std::int64_t x = 0; x <= box_ / 2; ++x) {
          const std::int64_t kz = wrapped(z);
          const std::int64_t ky = wrapped(y);
          shells_.push_back(static_cast<int>(shell_of(kz * kz + ky * ky + x * x)));
        }
      }
    }
  }

  Status prepare(int threads) {
    for (int i = 0; i < threads; ++i) {
      Box box;
      auto fft = Fft3::create({box_, box_, box_});
      if (!fft) return fft.error();
      box.fft = std::move(*fft);
      box.first.resize(static_cast<std::size_t>(box.fft->buffer_count()));
      box.second.resize(box.first.size());
      boxes_.push_back(std::move(box));
    }
    return {};
  }

  // Local resolution in voxels; NaN where a transform failed.
  float at(const Index3& place, int thread) {
    Box& box = boxes_[static_cast<std::size_t>(thread)];
    cut(first_, place, box.fft->row(), box.first);
    cut(second_, place, box.fft->row(), box.second);
    if (!box.fft->forward(box.first) || !box.fft->forward(box.second)) return std::nanf("");
    const auto found = crossing(correlation(box), settings_.threshold, box_, 1.0);
    return found ? std::max(static_cast<float>(*found), kNyquist) : kNyquist;
  }

 private:
  void cut(std::span<const float> map, const Index3& place, std::int64_t row,
           AlignedVector<float>& to) const {
    const float* weight = ball_.data();
    for (std::int64_t z = 0; z < box_; ++z) {
      for (std::int64_t y = 0; y < box_; ++y, weight += box_) {
        const std::int64_t mz = place.z + z - box_ / 2;
        const std::int64_t my = place.x + y - box_ / 2;
        float* const out = to.data() + (z * box_ + y) * row;
        if (std::min(mz, my) < 0 || std::max(mz, my) >= side_) {
          std::fill_n(out, box_, 0.0F);
          continue;
        }
        const float* const in = map.data() + (mz * side_ + my) * side_;
        for (std::int64_t x = 0; x < box_; ++x) {
          const std::int64_t mx = place.y + x - box_ / 2;
          out[x] = mx < 0 || mx >= side_ ? 0.0F : in[mx] * weight[x];
        }
      }
    }
  }

  [[nodiscard]] std::vector<double> correlation(const Box& box) const {
    struct Sums {
      double ab = 0.0, aa = 0.0, bb = 0.0;
    };
    const std::int64_t complexes = box_ / 2 + 1;
    std::vector<Sums> sums(static_cast<std::size_t>(complexes));
    const int* shell = shells_.data();
    for (std::int64_t line = 0; line < box_ * box_; ++line) {
      const float* const a = box.first.data() + line * box.fft->row();
      const float* const b = box.second.data() + line * box.fft->row();
      for (std::int64_t x = 0; x < complexes; ++x, ++shell) {
        if (*shell >= complexes) continue;
        // The conjugate of a number is not stored but on the outer planes.
        const double weight = x == 0 || 2 * x == box_ ? 1.0 : 2.0;
        const std::complex<double> u(a[2 * x], a[2 * x + 1]);
        const std::complex<double> v(b[2 * x], b[2 * x + 1]);
        Sums& sum = sums[static_cast<std::size_t>(*shell)];
        sum.ab += weight * (u.real() * v.real() + u.imag() * v.imag());
        sum.aa += weight * std::norm(u);
        sum.bb += weight * std::norm(v);
      }
    }
    std::vector<double> fsc;
    for (const Sums& sum : sums) {
      const double power = std::sqrt(sum.aa) * std::sqrt(sum.bb);
      fsc.push_back(power > 0.0 ? sum.ab / power : 0.0);
    }
    return fsc;
  }

  std::span<const float> first_, second_;
  std::int64_t side_;
  LocalResolutionSettings settings_;
  std::int64_t box_ = 0;
  std::vector<float> ball_;
  std::vector<int> shells_;
  std::vector<Box> boxes_;
};

// Values on every step-th voxel of each axis, up to one that is not before the last voxel.
struct Grid {
  std::int64_t step = 1;
  std::int64_t count = 1;
  std::vector<float> values;

  Grid(std::int64_t side, std::int64_t every)
      : step(every), count((side + every - 2) / every + 1), values(size()) {}
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(count * count * count); }
  [[nodiscard]] Index3 place(std::int64_t i) const {
    return {i / count / count * step, i / count % count * step, i % count * step};
  }
  // Interpolates linearly along each axis.
  [[nodiscard]] float between(std::int64_t z, std::int64_t y, std::int64_t x) const {
    float sum = 0.0F;
    for (int corner = 0; corner < 8; ++corner) {
      std::int64_t at = 0;
      float weight = 1.0F;
      int axis = 4;
      for (const std::int64_t i : {z, y, x}) {
        const bool above = (corner & axis) != 0;
        const float part = static_cast<float>(i % step) / static_cast<float>(step);
        weight *= above ? part : 1.0F - part;
        at = at * count + std::min(i / step + (above ? 1 : 0), count - 1);
        axis /= 2;
      }
      sum += weight * values[static_cast<std::size_t>(at)];
    }
    return sum;
  }
};

// Whether a voxel whose value is interpolated from this place lies in the mask.
bool wanted(std::span<const float> mask, std::int64_t side, const Index3& place,
            std::int64_t step) {
  if (mask.empty()) return true;
  const auto from = [&](std::int64_t i) { return std::max<std::int64_t>(i - step + 1, 0); };
  const auto to = [&](std::int64_t i) { return std::min(i + step, side); };
  for (std::int64_t z = from(place.z); z < to(place.z); ++z) {
    for (std::int64_t y = from(place.x); y < to(place.x); ++y) {
      for (std::int64_t x = from(place.y); x < to(place.y); ++x) {
        if (mask[static_cast<std::size_t>((z * side + y) * side + x)] >= kInside) return true;
      }
    }
  }
  return false;
}

Status check(std::span<const float> first, std::span<const float> second, std::int64_t side,
             std::span<const float> mask, const LocalResolutionSettings& settings) {
  const auto count = static_cast<std::size_t>(side * side * side);
  if (first.size() != count || second.size() != count || (!mask.empty() && mask.size() != count)) {
    return Error{"the maps and the mask are not of one size", "local resolution",
                 "use maps of one reconstruction"};
  }
  if (!(settings.radius >= 2.0 && 2.0 * settings.radius <= static_cast<double>(side))) {
    return Error{"a ball of radius " + std::to_string(std::lround(settings.radius)) +
                     " voxels does not fit a box of " + std::to_string(side),
                 "local resolution", "use a radius from 2 voxels to half of the box"};
  }
  return {};
}

}  // namespace

Result<std::vector<float>> local_resolution(std::span<const float> first,
                                            std::span<const float> second, std::int64_t side,
                                            std::span<const float> mask,
                                            const LocalResolutionSettings& settings,
                                            const JobContext& context) {
  if (Status ok = check(first, second, side, mask, settings); !ok) return ok.error();
  try {
    const int threads = thread_count();
    LocalCorrelation local(first, second, side, settings);
    if (Status ok = local.prepare(threads); !ok) return ok.error();
    Grid grid(side, std::max<std::int64_t>(settings.step, 1));
    const bool done = parallel_items(static_cast<std::int64_t>(grid.size()), threads, context,
                                     "local resolution", [&](std::int64_t i, int thread) {
                                       const Index3 place = grid.place(i);
                                       if (wanted(mask, side, place, grid.step)) {
                                         grid.values[static_cast<std::size_t>(i)] =
                                             local.at(place, thread);
                                       }
                                     });
    if (!done) return cancelled_error();
    std::vector<float> out(first.size());
    parallel_for(side, threads_for(side * side * side), [&](std::int64_t z) {
      for (std::int64_t i = z * side * side; i < (z + 1) * side * side; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (!mask.empty() && mask[at] < kInside) continue;
        out[at] = grid.between(z, i / side % side, i % side);
      }
    });
    return out;
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory for maps of " + std::to_string(side) + "³ voxels",
                 "local resolution", "close other data or crop the maps"};
  }
}

}  // namespace aprscope
