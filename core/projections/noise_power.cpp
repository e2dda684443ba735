#include "core/projections/noise_power.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <utility>

#include "core/base/aligned_vector.hpp"
#include "core/base/memory_error.hpp"
#include "core/base/parallel.hpp"
#include "core/image/line_transforms.hpp"
#include "core/projections/batch_reader.hpp"
#include "core/projections/reconstruction_plan.hpp"

namespace aprscope {

namespace {

// 0 in the disc, 1 in the corners.
std::vector<float> corner_mask(std::int64_t side) {
  const double radius = 0.5 * static_cast<double>(side);
  const double edge = static_cast<double>(side) / 16.0;
  const std::int64_t centre = side / 2;
  std::vector<float> mask;
  mask.reserve(static_cast<std::size_t>(side * side));
  for (std::int64_t y = 0; y < side; ++y) {
    for (std::int64_t x = 0; x < side; ++x) {
      const double r = std::hypot(static_cast<double>(x - centre), static_cast<double>(y - centre));
      const double t = std::clamp((r - radius) / edge, 0.0, 1.0);
      mask.push_back(static_cast<float>(0.5 - 0.5 * std::cos(std::numbers::pi * t)));
    }
  }
  return mask;
}

// Spectra of images of a side: all frequencies of y, those of x from 0 to side ÷ 2.
class Spectra {
 public:
  struct Scratch {
    AlignedVector<float> half, a, b;
    std::vector<float> image;
  };

  static Result<Spectra> create(std::int64_t side) {
    auto lines = LineTransforms::create(side);
    if (!lines) return lines.error();
    return Spectra(side, std::move(*lines));
  }

  [[nodiscard]] std::int64_t columns() const { return side_ / 2 + 1; }
  [[nodiscard]] Scratch scratch() const {
    Scratch s;
    s.half.resize(static_cast<std::size_t>(2 * side_ * columns()));
    s.a.resize(static_cast<std::size_t>(lines_.columns_floats()));
    s.b.resize(s.a.size());
    s.image.resize(static_cast<std::size_t>(side_ * side_));
    return s;
  }

  // Calls take(kx, ky, F) for them, of the image in the scratch.
  template <class Take>
  void each(Scratch& s, const Take& take) const {
    for (std::int64_t first = 0; first < side_; first += kLinesAtOnce) {
      const std::int64_t rows = std::min(kLinesAtOnce, side_ - first);
      std::fill(s.a.begin(), s.a.end(), 0.0F);
      for (std::int64_t j = 0; j < rows; ++j) {
        for (std::int64_t x = 0; x < side_; ++x) {
          s.a[static_cast<std::size_t>(2 * (kLinesAtOnce * x + j))] =
              s.image[static_cast<std::size_t>((first + j) * side_ + x)];
        }
      }
      const float* const out = lines_.columns_forward(s.a.data(), s.b.data());
      for (std::int64_t j = 0; j < rows; ++j) {
        for (std::int64_t x = 0; x < columns(); ++x) {
          std::copy_n(out + 2 * (kLinesAtOnce * x + j), 2,
                      s.half.data() + 2 * ((first + j) * columns() + x));
        }
      }
    }
    for (std::int64_t first = 0; first < columns(); first += kLinesAtOnce) {
      const std::int64_t some = std::min(kLinesAtOnce, columns() - first);
      std::fill(s.a.begin(), s.a.end(), 0.0F);
      for (std::int64_t y = 0; y < side_; ++y) {
        std::copy_n(s.half.data() + 2 * (y * columns() + first), 2 * some,
                    s.a.data() + 2 * kLinesAtOnce * y);
      }
      const float* const out = lines_.columns_forward(s.a.data(), s.b.data());
      for (std::int64_t y = 0; y < side_; ++y) {
        const std::int64_t ky = y > side_ / 2 ? y - side_ : y;
        for (std::int64_t j = 0; j < some; ++j) {
          const float* const value = out + 2 * (kLinesAtOnce * y + j);
          take(first + j, ky, std::complex<double>(value[0], value[1]));
        }
      }
    }
  }

 private:
  Spectra(std::int64_t side, LineTransforms lines) : side_(side), lines_(std::move(lines)) {}

  std::int64_t side_;
  LineTransforms lines_;
};

std::size_t plane_shell_of(std::int64_t kx, std::int64_t ky) {
  return static_cast<std::size_t>(
      std::lround(std::hypot(static_cast<double>(kx), static_cast<double>(ky))));
}

// Adds up the squared transforms of images outside the disc, shell by shell.
class CornerPower {
 public:
  static Result<CornerPower> create(std::int64_t side) {
    auto spectra = Spectra::create(side);
    if (!spectra) return spectra.error();
    CornerPower made(side, std::move(*spectra));
    made.measure_white_noise();
    return made;
  }

  [[nodiscard]] std::size_t shells() const { return white_.size(); }
  [[nodiscard]] Spectra::Scratch scratch() const { return spectra_.scratch(); }

  void measure(const float* image, Spectra::Scratch& s, double* sums) const {
    double mean = 0.0;
    for (std::size_t i = 0; i < mask_.size(); ++i) mean += double{mask_[i]} * double{image[i]};
    mean /= area_;
    for (std::size_t i = 0; i < mask_.size(); ++i) {
      s.image[i] = mask_[i] * static_cast<float>(double{image[i]} - mean);
    }
    std::fill_n(sums, shells(), 0.0);
    spectra_.each(s, [&](std::int64_t kx, std::int64_t ky, std::complex<double> f) {
      sums[plane_shell_of(kx, ky)] += std::norm(f);
    });
  }

  // The power that white noise of variance 1 adds to each shell.
  [[nodiscard]] const std::vector<double>& white() const { return white_; }

 private:
  CornerPower(std::int64_t side, Spectra spectra)
      : spectra_(std::move(spectra)), mask_(corner_mask(side)) {
    for (const float m : mask_) area_ += double{m};
    white_.resize(plane_shell_of(side / 2, side / 2) + 1);
  }

  // The transform at k of m (x − Σ m x ÷ Σ m) is Σ x m (e − M ÷ Σ m), e the wave at k and M the
  // transform of m there: its variance is Σ m² |e − M ÷ Σ m|².
  void measure_white_noise() {
    Spectra::Scratch s = scratch();
    std::vector<std::complex<double>> transform;
    std::copy(mask_.begin(), mask_.end(), s.image.begin());
    spectra_.each(s, [&](std::int64_t, std::int64_t, std::complex<double> f) {
      transform.push_back(f / area_);
    });
    double squares = 0.0;
    for (std::size_t i = 0; i < mask_.size(); ++i) {
      s.image[i] = mask_[i] * mask_[i];
      squares += double{s.image[i]};
    }
    std::size_t i = 0;
    spectra_.each(s, [&](std::int64_t kx, std::int64_t ky, std::complex<double> f) {
      const std::complex<double> m = transform[i++];
      if (kx == 0 && ky == 0) return;  // rounding
      white_[plane_shell_of(kx, ky)] +=
          squares * (1.0 + std::norm(m)) - 2.0 * (std::conj(m) * f).real();
    });
  }

  Spectra spectra_;
  std::vector<float> mask_;
  double area_ = 0.0;
  std::vector<double> white_;
};

// Rows to read, in the order of the table, at most so many of a group.
std::vector<std::int64_t> sample_of(const ProjectionTable& table,
                                    std::span<const std::int64_t> rows, std::int64_t most) {
  std::vector<std::vector<std::int64_t>> of(table.optics.size());
  for (const std::int64_t row : rows) {
    of[table.rows[static_cast<std::size_t>(row)].optics].push_back(row);
  }
  std::vector<std::int64_t> sample;
  for (auto& group : of) {
    std::sort(group.begin(), group.end());
    const auto count = static_cast<std::int64_t>(group.size());
    const std::int64_t taken = most > 0 ? std::min(most, count) : count;
    for (std::int64_t i = 0; i < taken; ++i) {
      sample.push_back(group[static_cast<std::size_t>(i * count / taken)]);
    }
  }
  std::sort(sample.begin(), sample.end());
  return sample;
}

// Turns sums over images into the noise power.
Status finish(const ProjectionTable& table, const CornerPower& corners,
              std::vector<NoisePower>& groups) {
  for (NoisePower& group : groups) {
    double sum = 0.0;
    for (std::size_t shell = 1; shell < group.power.size(); ++shell) {
      group.power[shell] /= corners.white()[shell] * static_cast<double>(group.images);
      sum += group.power[shell];
    }
    group.power[0] = group.power[1];
    if (std::isfinite(sum) && sum > 0.0) continue;
    return Error{
        "the corners of the images of optics group " + group.group +
            (std::isfinite(sum) ? " hold one value and no noise" : " hold values far too large"),
        table.path.string(), "take the noise as white"};
  }
  return {};
}

Result<std::vector<NoisePower>> measured(const Projections& projections,
                                         std::span<const std::int64_t> rows, std::int64_t most,
                                         const JobContext& context, Unsound unsound,
                                         const UnsoundRows& refused) {
  const ProjectionTable& table = projections.table;
  const auto corners = CornerPower::create(table.side);
  if (!corners) return corners.error();
  ReconstructionPlan sample;
  sample.rows = sample_of(table, rows, most);
  std::vector<NoisePower> groups(table.optics.size());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i].optics = static_cast<std::uint32_t>(i);
    groups[i].group = table.optics[i].name;
    groups[i].nyquist = table.side / 2;
    groups[i].power.resize(corners->shells());
  }
  const std::int64_t pixels = table.side * table.side;
  const auto count = static_cast<std::int64_t>(sample.rows.size());
  constexpr std::int64_t kFloats = std::int64_t{1} << 23;  // 32 MB at a time
  const std::int64_t batch = std::clamp<std::int64_t>(kFloats / pixels, 1, 256);
  std::vector<Spectra::Scratch> scratch;
  const int threads = static_cast<int>(std::clamp<std::int64_t>(batch, 1, thread_count()));
  for (int i = 0; i < threads; ++i) scratch.push_back(corners->scratch());
  std::vector<double> sums(static_cast<std::size_t>(batch) * corners->shells());
  BatchReader reader(projections, sample, context, unsound, refused);
  reader.start({0, count}, batch, false, {});
  for (;;) {
    const auto next = reader.next();
    if (!next) return next.error();
    if (*next == nullptr) break;
    const Batch& now = **next;
    parallel_each(std::ssize(now.rows), threads, [&](std::int64_t i, int thread) {
      if (context.stop_requested()) return;
      corners->measure(now.images.data() + i * pixels, scratch[static_cast<std::size_t>(thread)],
                       sums.data() + static_cast<std::size_t>(i) * corners->shells());
    });
    if (context.stop_requested()) return cancelled_error();
    // One image after the other, so that sums have the same bytes for any number of threads.
    for (std::size_t i = 0; i < now.rows.size(); ++i) {
      if (now.sound[i] == 0) continue;
      NoisePower& group = groups[now.rows[i].optics];
      ++group.images;
      for (std::size_t shell = 0; shell < corners->shells(); ++shell) {
        group.power[shell] += sums[i * corners->shells() + shell];
      }
    }
    context.report(static_cast<double>(now.end()) / static_cast<double>(count), "Measure noise");
  }
  std::erase_if(groups, [](const NoisePower& group) { return group.images == 0; });
  if (Status ok = finish(table, *corners, groups); !ok) return ok.error();
  return groups;
}

// Mean power over frequencies: shells weighted by their circumference.
double mean_power(const NoisePower& noise) {
  double sum = 0.0;
  double weight = 0.0;
  for (std::int64_t k = 1; k <= noise.nyquist; ++k) {
    sum += static_cast<double>(k) * noise.power[static_cast<std::size_t>(k)];
    weight += static_cast<double>(k);
  }
  return sum / weight;
}

}  // namespace

Result<std::vector<NoisePower>> noise_power(const Projections& projections,
                                            std::span<const std::int64_t> rows, std::int64_t most,
                                            const JobContext& context, Unsound unsound,
                                            const UnsoundRows& refused) {
  return with_memory_errors(projections.table.path.string(), [&] {
    return measured(projections, rows, most, context, unsound, refused);
  });
}

std::vector<float> noise_weights(const NoisePower& noise, std::span<const NoisePower> all) {
  constexpr double kMost = 1000.0;
  double mean = 0.0;
  for (const NoisePower& one : all) {
    mean += mean_power(one) / static_cast<double>(all.size());
  }
  std::vector<float> weights;
  weights.reserve(noise.power.size());
  for (const double power : noise.power) {
    weights.push_back(
        static_cast<float>(power > 0.0 ? std::clamp(mean / power, 1.0 / kMost, kMost) : kMost));
  }
  return weights;
}

}  // namespace aprscope
