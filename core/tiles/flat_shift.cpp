#include "core/tiles/flat_shift.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <optional>

#include "core/base/scratch.hpp"
#include "core/image/fft.hpp"

namespace aprscope {
namespace {

// Peaks whose correlation is computed.
constexpr std::size_t kPeaks = 6;
// Pixels that the place is sought around the best peak.
constexpr int kSteps = 8;
// Pixels along each edge of a picture that fade out, as a share of its side: edges correlate, too.
constexpr double kFade = 0.1;
// Frequencies are weighted by a Gaussian of this width, in cycles a pixel: the highest are noise.
constexpr double kBand = 0.2;
// Pixels that are alike once the noise of single ones is gone, 4 π σ² of its weights.
constexpr double kPixelsAlike = 12.6;
// Pixels in which two pictures must overlap, as a share of the smaller one.
constexpr double kLeastShare = 0.1;

double fade(std::int64_t i, std::int64_t n) {
  const double width = std::max(1.0, kFade * static_cast<double>(n));
  const double inside = static_cast<double>(std::min(i, n - 1 - i)) + 0.5;
  if (inside >= width) return 1.0;
  return 0.5 - 0.5 * std::cos(std::numbers::pi * inside / width);
}

// Puts a picture, less its mean and faded, into a buffer of the frame.
void put(const FlatPicture& picture, std::int64_t row0, std::int64_t col0, std::int64_t pitch,
         float* buffer) {
  double sum = 0.0;
  for (const float v : picture.values) sum += static_cast<double>(v);
  const double mean = sum / static_cast<double>(std::max<std::size_t>(1, picture.values.size()));
  for (std::int64_t r = 0; r < picture.rows; ++r) {
    float* const to = buffer + (picture.row0 - row0 + r) * pitch + picture.col0 - col0;
    const float* const from = picture.values.data() + r * picture.cols;
    const double of_row = fade(r, picture.rows);
    for (std::int64_t c = 0; c < picture.cols; ++c) {
      to[c] = static_cast<float>(of_row * fade(c, picture.cols) *
                                 (static_cast<double>(from[c]) - mean));
    }
  }
}

// A picture without the noise of single pixels: weights 1 4 6 4 1 along both dimensions, its edges
// repeated. What two tiles share is not in single pixels.
FlatPicture smoothed(const FlatPicture& in) {
  constexpr std::array<float, 5> kWeights{1.0F / 16, 4.0F / 16, 6.0F / 16, 4.0F / 16, 1.0F / 16};
  FlatPicture rows = in;
  FlatPicture out = in;
  const auto inside = [](std::int64_t i, std::int64_t n) {
    return std::clamp<std::int64_t>(i, 0, n - 1);
  };
  for (std::int64_t r = 0; r < in.rows; ++r) {
    for (std::int64_t c = 0; c < in.cols; ++c) {
      float sum = 0.0F;
      for (std::int64_t k = -2; k <= 2; ++k) {
        sum += kWeights[static_cast<std::size_t>(k + 2)] *
               in.values[static_cast<std::size_t>(r * in.cols + inside(c + k, in.cols))];
      }
      rows.values[static_cast<std::size_t>(r * in.cols + c)] = sum;
    }
  }
  for (std::int64_t r = 0; r < in.rows; ++r) {
    for (std::int64_t c = 0; c < in.cols; ++c) {
      float sum = 0.0F;
      for (std::int64_t k = -2; k <= 2; ++k) {
        sum += kWeights[static_cast<std::size_t>(k + 2)] *
               rows.values[static_cast<std::size_t>(inside(r + k, in.rows) * in.cols + c)];
      }
      out.values[static_cast<std::size_t>(r * in.cols + c)] = sum;
    }
  }
  return out;
}

struct Correlation {
  double value = 0.0;
  double pixels = 0.0;
  /// What of it chance does not explain: that which Fisher's z of so many samples leaves at four
  /// standard deviations below. Small overlaps correlate by chance.
  [[nodiscard]] double sure() const {
    const double samples = pixels / kPixelsAlike;
    if (samples <= 4.0 || value <= 0.0) return 0.0;
    const double z = std::atanh(std::min(value, 1.0 - 1e-12)) - 4.0 / std::sqrt(samples - 3.0);
    return z > 0.0 ? std::tanh(z) : 0.0;
  }
};

// The correlation coefficient of where they overlap once the second has moved by whole pixels.
Correlation correlation_of(const FlatPicture& a, const FlatPicture& b, std::int64_t by_rows,
                           std::int64_t by_cols) {
  const std::int64_t r0 = std::max(a.row0, b.row0 + by_rows);
  const std::int64_t r1 = std::min(a.row0 + a.rows, b.row0 + by_rows + b.rows);
  const std::int64_t c0 = std::max(a.col0, b.col0 + by_cols);
  const std::int64_t c1 = std::min(a.col0 + a.cols, b.col0 + by_cols + b.cols);
  const double least =
      kLeastShare * static_cast<double>(std::min(a.rows * a.cols, b.rows * b.cols));
  if (r1 <= r0 || c1 <= c0 || static_cast<double>((r1 - r0) * (c1 - c0)) < least) return {};
  double n = 0.0, sa = 0.0, sb = 0.0, saa = 0.0, sbb = 0.0, sab = 0.0;
  // From about the mean, so that squares of large values do not hide small differences.
  const double from_a =
      static_cast<double>(a.values[static_cast<std::size_t>((r0 - a.row0) * a.cols + c0 - a.col0)]);
  const double from_b =
      static_cast<double>(b.values[(r0 - by_rows - b.row0) * b.cols + c0 - by_cols - b.col0]);
  for (std::int64_t r = r0; r < r1; ++r) {
    const float* const va = a.values.data() + (r - a.row0) * a.cols - a.col0;
    const float* const vb = b.values.data() + (r - by_rows - b.row0) * b.cols - b.col0 - by_cols;
    for (std::int64_t c = c0; c < c1; ++c) {
      const double x = static_cast<double>(va[c]) - from_a;
      const double y = static_cast<double>(vb[c]) - from_b;
      n += 1.0;
      sa += x;
      sb += y;
      saa += x * x;
      sbb += y * y;
      sab += x * y;
    }
  }
  const double var_a = saa - sa * sa / n;
  const double var_b = sbb - sb * sb / n;
  if (!(var_a > 0.0) || !(var_b > 0.0)) return {};
  return {std::clamp((sab - sa * sb / n) / std::sqrt(var_a * var_b), -1.0, 1.0), n};
}

struct Peak {
  std::int64_t row = 0;
  std::int64_t col = 0;
  float height = 0.0F;
};

// The inverse transform of the normalised cross-power spectrum, whose peaks are moves.
class PhaseCorrelation {
 public:
  static Result<PhaseCorrelation> create(const FlatPicture& a, const FlatPicture& b,
                                         std::int64_t most, const JobContext& context) {
    const std::int64_t row0 = std::min(a.row0, b.row0);
    const std::int64_t col0 = std::min(a.col0, b.col0);
    const std::int64_t rows = std::max(a.row0 + a.rows, b.row0 + b.rows) - row0;
    const std::int64_t cols = std::max(a.col0 + a.cols, b.col0 + b.cols) - col0;
    // Room for moves, which would come back on the other side.
    auto fft = Fft3::create(Fft3::good_size({1, rows + most, cols + most}));
    if (!fft) return fft.error();
    PhaseCorrelation out(*std::move(fft));
    Scratch<float> other(out.fft_->buffer_count());
    std::fill_n(out.values_.data(), out.values_.count(), 0.0F);
    std::fill_n(other.data(), other.count(), 0.0F);
    put(a, row0, col0, out.fft_->row(), out.values_.data());
    put(b, row0, col0, out.fft_->row(), other.data());
    if (Status done = out.transform(other, context); !done) return done.error();
    return out;
  }

  /// The highest places among moves of at most `most` pixels.
  [[nodiscard]] std::vector<Peak> peaks(std::int64_t most) const {
    std::vector<Peak> found;
    const std::int64_t by_rows = std::min(most, (fft_->size().x - 1) / 2);
    const std::int64_t by_cols = std::min(most, (fft_->size().y - 1) / 2);
    for (std::int64_t r = -by_rows; r <= by_rows; ++r) {
      for (std::int64_t c = -by_cols; c <= by_cols; ++c) {
        const float here = at(r, c);
        bool highest = true;
        for (std::int64_t dr = -1; dr <= 1 && highest; ++dr) {
          for (std::int64_t dc = -1; dc <= 1; ++dc) {
            if ((dr != 0 || dc != 0) && at(r + dr, c + dc) > here) highest = false;
          }
        }
        if (highest) found.push_back({r, c, here});
      }
    }
    const std::size_t kept = std::min(kPeaks, found.size());
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept), found.end(),
                      [](const Peak& p, const Peak& q) { return p.height > q.height; });
    found.resize(kept);
    return found;
  }

  [[nodiscard]] float at(std::int64_t row, std::int64_t col) const {
    const Size3& n = fft_->size();
    return values_.data()[(row + n.x) % n.x * fft_->row() + (col + n.y) % n.y];
  }

 private:
  explicit PhaseCorrelation(std::unique_ptr<Fft3> fft)
      : fft_(std::move(fft)), values_(fft_->buffer_count()) {}

  Status transform(Scratch<float>& other, const JobContext& context) {
    const auto all = [](Scratch<float>& buffer) {
      return std::span(buffer.data(), static_cast<std::size_t>(buffer.count()));
    };
    if (Status done = fft_->forward(all(values_), context); !done) return done;
    if (Status done = fft_->forward(all(other), context); !done) return done;
    const Size3& n = fft_->size();
    for (std::int64_t r = 0; r < n.x; ++r) {
      const double fr = static_cast<double>(std::min(r, n.x - r)) / static_cast<double>(n.x);
      float* const a = values_.data() + r * fft_->row();
      const float* const b = other.data() + r * fft_->row();
      for (std::int64_t c = 0; c <= n.y / 2; ++c) {
        const double fc = static_cast<double>(c) / static_cast<double>(n.y);
        const std::complex<double> x(static_cast<double>(a[2 * c]),
                                     static_cast<double>(a[2 * c + 1]));
        const std::complex<double> y(static_cast<double>(b[2 * c]),
                                     static_cast<double>(b[2 * c + 1]));
        const std::complex<double> power = x * std::conj(y);
        const double size = std::abs(power);
        const double weight = std::exp(-0.5 * (fr * fr + fc * fc) / (kBand * kBand));
        const std::complex<double> phase =
            size > 0.0 ? power / size * weight : std::complex<double>();
        a[2 * c] = static_cast<float>(phase.real());
        a[2 * c + 1] = static_cast<float>(phase.imag());
      }
    }
    return fft_->inverse(all(values_), context);
  }

  std::unique_ptr<Fft3> fft_;
  Scratch<float> values_;
};

}  // namespace

double parabola_top(double before, double at, double after) {
  const double bend = before - 2.0 * at + after;
  if (!(bend < 0.0)) return 0.0;
  return std::clamp(0.5 * (before - after) / bend, -0.5, 0.5);
}

FlatPair::FlatPair(const FlatPicture& first, const FlatPicture& second)
    : first_(smoothed(first)), second_(smoothed(second)) {}

double FlatPair::correlation(std::int64_t rows, std::int64_t cols) const {
  return correlation_of(first_, second_, rows, cols).value;
}

double FlatPair::sure_correlation(std::int64_t rows, std::int64_t cols) const {
  return correlation_of(first_, second_, rows, cols).sure();
}

Result<FlatShift> FlatPair::shift(std::int64_t most, const JobContext& context) const {
  if (first_.values.empty() || second_.values.empty()) return FlatShift{};
  const auto phases = PhaseCorrelation::create(first_, second_, most, context);
  if (!phases) return phases.error();
  std::int64_t row = 0;
  std::int64_t col = 0;
  double surest = 0.0;
  for (const Peak& peak : phases->peaks(most)) {
    const double here = sure_correlation(peak.row, peak.col);
    if (here <= surest) continue;
    surest = here;
    row = peak.row;
    col = peak.col;
  }
  if (surest <= 0.0) return FlatShift{};
  // Noise may have moved the peak: the correlation itself is broader and goes up to the place.
  double middle = correlation(row, col);
  double up = 0.0, down = 0.0, left = 0.0, right = 0.0;
  for (int step = 0; step < kSteps; ++step) {
    up = correlation(row - 1, col);
    down = correlation(row + 1, col);
    left = correlation(row, col - 1);
    right = correlation(row, col + 1);
    const double most_here = std::max({up, down, left, right});
    if (most_here <= middle) break;
    if (most_here == up || most_here == down) {
      row += most_here == up ? -1 : 1;
    } else {
      col += most_here == left ? -1 : 1;
    }
    middle = most_here;
  }
  up = correlation(row - 1, col);
  down = correlation(row + 1, col);
  left = correlation(row, col - 1);
  right = correlation(row, col + 1);
  FlatShift best;
  best.rows = static_cast<double>(row) + parabola_top(up, middle, down);
  best.cols = static_cast<double>(col) + parabola_top(left, middle, right);
  best.correlation = sure_correlation(row, col);
  return best;
}

}  // namespace aprscope
