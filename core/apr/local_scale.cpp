#include "core/apr/local_scale.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/apr/parallel.hpp"

namespace aprscope {
namespace {

constexpr std::array<int, 6> kInner{1, 1, 1, 2, 2, 3};
constexpr std::array<int, 6> kOuter{2, 3, 4, 4, 5, 6};
// By the number of dimensions that take part, then by class.
constexpr std::array<std::array<double, 6>, 3> kFactor{{
    {13.9040, 31.2843, 57.4037, 30.3767, 45.9930, 29.0890},
    {13.2421, 28.7069, 52.0385, 24.4272, 34.9565, 21.1891},
    {12.8214, 26.1256, 40.2795, 23.3692, 36.2061, 27.0385},
}};

std::size_t psf_class(float psf, float d) {
  const double wanted = std::round(static_cast<double>(psf) / static_cast<double>(d)) - 1.0;
  return static_cast<std::size_t>(std::clamp(wanted, 0.0, 5.0));
}

// Mirrors about the first and the last sample; |k| < n.
std::int64_t mirrored(std::int64_t k, std::int64_t n) {
  if (k < 0) k = -k;
  return k < n ? k : 2 * n - 2 - k;
}

// out[i] = mean of in over the window of `half` samples to either side of i, cut at the ends.
void box_row(const float* in, float* out, std::int64_t n, int half) {
  const auto cut = [&](std::int64_t i) {
    const std::int64_t b = std::max<std::int64_t>(i - half, 0);
    const std::int64_t e = std::min<std::int64_t>(i + half + 1, n);
    float sum = 0.0F;
    for (std::int64_t k = b; k < e; ++k) sum += in[k];
    return sum / static_cast<float>(e - b);
  };
  const std::int64_t inside_begin = std::min<std::int64_t>(half, n);
  const std::int64_t inside_end = std::max<std::int64_t>(inside_begin, n - half);
  for (std::int64_t i = 0; i < inside_begin; ++i) out[i] = cut(i);
  const float share = 1.0F / static_cast<float>(2 * half + 1);
#pragma omp simd
  for (std::int64_t i = inside_begin; i < inside_end; ++i) {
    float sum = 0.0F;
    for (int k = -half; k <= half; ++k) sum += in[i + k];
    out[i] = sum * share;
  }
  for (std::int64_t i = inside_end; i < n; ++i) out[i] = cut(i);
}

// out = mean of the rows [begin, end), each `width` floats long.
void mean_of_rows(const float* rows, std::int64_t begin, std::int64_t end, std::int64_t width,
                  float* out) {
  std::copy(rows + begin * width, rows + (begin + 1) * width, out);
  for (std::int64_t k = begin + 1; k < end; ++k) {
    const float* const row = rows + k * width;
#pragma omp simd
    for (std::int64_t w = 0; w < width; ++w) out[w] += row[w];
  }
  const float share = 1.0F / static_cast<float>(end - begin);
#pragma omp simd
  for (std::int64_t w = 0; w < width; ++w) out[w] *= share;
}

// The window of `half` to either side of i, cut at 0 and n.
struct Cut {
  Cut(std::int64_t i, std::int64_t n, int half)
      : begin(std::max<std::int64_t>(i - half, 0)), end(std::min<std::int64_t>(i + half + 1, n)) {}
  std::int64_t begin;
  std::int64_t end;
};

// The sweeps of the local scale over an image that is mirrored at its borders; `p…` names a row or
// slice of the mirrored image. Memory: one half grid with borders in x and y.
class ScaleSweeps {
 public:
  ScaleSweeps(const Pixels<float>& half, const ScaleWindows& windows)
      : half_(half),
        n_(half.size),
        z_(windows.window[0]),
        x_(windows.window[1]),
        y_(windows.window[2]),
        border_{border(z_), border(x_), border(y_)},
        p_{n_.z + 2 * border_.z, n_.x + 2 * border_.x, n_.y + 2 * border_.y},
        factor_(windows.factor),
        work_(n_.z * p_.x * p_.y) {
    const std::int64_t rows = std::max(kRows + 2 * border_.x + 2, p_.z + 2);
    for (int t = 0; t < threads_; ++t) scratch_.emplace_back(rows * p_.y);
  }

  // work = inner box over x and y of each slice.
  bool inner(const JobContext& context) {
    return blocks(0, p_.x, context,
                  [&](std::int64_t z, std::int64_t begin, std::int64_t end, float* scratch) {
                    float* const line = scratch;
                    box_rows(
                        begin, end, x_.inner, y_.inner, scratch + p_.y,
                        [&](std::int64_t px) {
                          mirrored_row(z, px, line);
                          return static_cast<const float*>(line);
                        },
                        [&](std::int64_t px, const float* row) {
                          std::copy(row, row + p_.y, work_row(z, px));
                        });
                  });
  }

  // work = outer box over z of |I − inner box of I|.
  bool deviation(const JobContext& context) {
    return parallel_items(p_.x, threads_, context, "local scale", [&](std::int64_t px, int thread) {
      // One row of x through all mirrored slices.
      float* const deviations = scratch_[static_cast<std::size_t>(thread)].data();
      float* const mean = deviations + p_.z * p_.y;
      float* const value = mean + p_.y;
      for (std::int64_t pz = 0; pz < p_.z; ++pz) {
        const Cut cut(pz, p_.z, z_.inner);
        std::fill(mean, mean + p_.y, 0.0F);
        for (std::int64_t k = cut.begin; k < cut.end; ++k) {
          const float* const row = work_row(slice(k), px);
#pragma omp simd
          for (std::int64_t y = 0; y < p_.y; ++y) mean[y] += row[y];
        }
        const float share = 1.0F / static_cast<float>(cut.end - cut.begin);
        mirrored_row(slice(pz), px, value);
        float* const d = deviations + pz * p_.y;
#pragma omp simd
        for (std::int64_t y = 0; y < p_.y; ++y) d[y] = std::abs(value[y] - mean[y] * share);
      }
      for (std::int64_t z = 0; z < n_.z; ++z) {
        const Cut cut(z + border_.z, p_.z, z_.outer);
        mean_of_rows(deviations, cut.begin, cut.end, p_.y, work_row(z, px));
      }
    });
  }

  // sigma = K · outer box over x and y of work, without the borders.
  bool outer(Pixels<float>& sigma, const JobContext& context) {
    return blocks(border_.x, border_.x + n_.x, context,
                  [&](std::int64_t z, std::int64_t begin, std::int64_t end, float* scratch) {
                    box_rows(
                        begin, end, x_.outer, y_.outer, scratch,
                        [&](std::int64_t px) -> const float* { return work_row(z, px); },
                        [&](std::int64_t px, const float* row) {
                          float* const to = &sigma.at(z, px - border_.x, 0);
                          for (std::int64_t y = 0; y < n_.y; ++y) {
                            to[y] = row[border_.y + y] * factor_;
                          }
                        });
                  });
  }

 private:
  // Rows in an item of work: parts of a slice, so that single slices are shared out too.
  static constexpr std::int64_t kRows = 64;

  static std::int64_t border(const ScaleWindow& w) { return std::max(w.inner, w.outer); }

  // Slice of the image that slice pz of the mirrored image shows.
  [[nodiscard]] std::int64_t slice(std::int64_t pz) const { return mirrored(pz - border_.z, n_.z); }

  void mirrored_row(std::int64_t z, std::int64_t px, float* out) const {
    const float* const in = half_.values.data() + half_.index(z, mirrored(px - border_.x, n_.x), 0);
    std::copy(in, in + n_.y, out + border_.y);
    for (std::int64_t k = 1; k <= border_.y; ++k) {
      out[border_.y - k] = in[mirrored(-k, n_.y)];
      out[border_.y + n_.y - 1 + k] = in[mirrored(n_.y - 1 + k, n_.y)];
    }
  }

  float* work_row(std::int64_t z, std::int64_t px) { return work_.data() + (z * p_.x + px) * p_.y; }

  // Calls work(z, begin, end, scratch) for parts of the rows [x_begin, x_end) of each slice.
  template <class Work>
  bool blocks(std::int64_t x_begin, std::int64_t x_end, const JobContext& context,
              const Work& work) {
    const std::int64_t parts = (x_end - x_begin + kRows - 1) / kRows;
    return parallel_items(n_.z * parts, threads_, context, "local scale",
                          [&](std::int64_t item, int thread) {
                            const std::int64_t begin = x_begin + item % parts * kRows;
                            work(item / parts, begin, std::min(x_end, begin + kRows),
                                 scratch_[static_cast<std::size_t>(thread)].data());
                          });
  }

  // Box over x and y of rows [begin, end) of a mirrored slice: source(px) gives a row of it,
  // emit(px, row) takes a row of the result. Scratch: kRows + 2 · border + 1 rows.
  template <class Source, class Emit>
  void box_rows(std::int64_t begin, std::int64_t end, int half_x, int half_y, float* scratch,
                const Source& source, const Emit& emit) {
    const std::int64_t first = std::max<std::int64_t>(begin - half_x, 0);
    const std::int64_t last = std::min<std::int64_t>(end + half_x, p_.x);
    for (std::int64_t px = first; px < last; ++px) {
      box_row(source(px), scratch + (px - first) * p_.y, p_.y, half_y);
    }
    float* const result = scratch + (last - first) * p_.y;
    for (std::int64_t px = begin; px < end; ++px) {
      const Cut cut(px, p_.x, half_x);
      mean_of_rows(scratch, cut.begin - first, cut.end - first, p_.y, result);
      emit(px, result);
    }
  }

  const Pixels<float>& half_;
  Size3 n_;
  ScaleWindow z_, x_, y_;
  Size3 border_;
  Size3 p_;
  float factor_;
  int threads_ = threads_for(n_.count());
  Scratch<float> work_;
  std::vector<Scratch<float>> scratch_;
};

}  // namespace

ScaleWindows scale_windows(const Size3& half, const ConversionParameters& p) {
  const std::array<std::size_t, 3> classes{psf_class(p.psfz, p.dz), psf_class(p.psfx, p.dx),
                                           psf_class(p.psfy, p.dy)};
  const std::array<std::int64_t, 3> length{half.z, half.x, half.y};
  ScaleWindows out;
  std::size_t active = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const int inner = kInner[classes[d]];
    const int outer = kOuter[classes[d]];
    if (length[d] <= std::max(inner, outer)) continue;
    out.window[d] = {inner, outer};
    ++active;
  }
  double product = 1.0;
  bool equal = true;
  std::size_t seen = 6;
  for (std::size_t d = 0; d < 3; ++d) {
    if (!out.window[d].active()) continue;
    product *= kFactor[active - 1][classes[d]];
    equal = equal && (seen == 6 || seen == classes[d]);
    seen = classes[d];
  }
  if (active > 0) {
    out.factor = static_cast<float>(equal ? kFactor[active - 1][seen]
                                          : std::pow(product, 1.0 / static_cast<double>(active)));
  }
  return out;
}

bool local_scale(const Pixels<float>& half, const ScaleWindows& windows, Pixels<float>& sigma,
                 const JobContext& context) {
  ScaleSweeps sweeps(half, windows);
  return sweeps.inner(context.part(0.0, 0.35)) && sweeps.deviation(context.part(0.35, 0.7)) &&
         sweeps.outer(sigma, context.part(0.7, 1.0));
}

void constant_scale(const Pixels<float>& half, Pixels<float>& sigma) {
  double sum = 0.0;
  float smallest = half.values.front();
  for (const float v : half.values) {
    sum += static_cast<double>(v);
    smallest = std::min(smallest, v);
  }
  const double mean = sum / static_cast<double>(half.values.size());
  std::fill(sigma.values.begin(), sigma.values.end(),
            static_cast<float>(mean - static_cast<double>(smallest)));
}

}  // namespace aprscope
