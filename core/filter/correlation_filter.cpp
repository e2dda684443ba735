#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/filter/correlation_plan.hpp"
#include "core/filter/folded_sweep.hpp"
#include "core/filter/pass_sweep.hpp"
#include "core/filter/window_sweep.hpp"

namespace aprscope::detail {
namespace {

// Every weight that is not 0, straight from the neighbourhood.
class DenseCorrelation : public WindowFilter {
 public:
  explicit DenseCorrelation(const Stencil& stencil) : WindowFilter(stencil.size) {
    const Size3& n = stencil.size;
    weights_.assign(stencil.weights.begin(), stencil.weights.end());
    for (std::int64_t i = 0; i < n.count(); ++i) {
      const float w = weights_[static_cast<std::size_t>(i)];
      if (w == 0.0F) continue;
      taps_.push_back({static_cast<std::int32_t>(i / (n.x * n.y)),
                       static_cast<std::int32_t>(i / n.y % n.x), static_cast<std::int32_t>(i % n.y),
                       w});
    }
    all_ = taps_.size() == weights_.size();
  }

  void compute(const Window& window, const std::int32_t* starts, std::int64_t count, SweepScratch&,
               float* out) const override {
    if (all_) {
      filter_kernels().correlate(window, weights_.data(), starts, count, out);
    } else {
      filter_kernels().correlate_taps(window, taps_.data(), static_cast<std::int64_t>(taps_.size()),
                                      starts, count, out);
    }
  }

 private:
  std::vector<float> weights_;
  std::vector<Tap> taps_;
  bool all_ = false;
};

class SeparableCorrelation : public PassFilter {
 public:
  SeparableCorrelation(const Size3& size, const std::array<std::vector<double>, 3>& factors)
      : PassFilter(size) {
    for (std::size_t d = 0; d < 3; ++d) {
      std::vector<float>& w = factors_[d];
      w.assign(factors[d].begin(), factors[d].end());
      mirrored_[d] = w.size() % 2 == 1 && std::equal(w.begin(), w.end(), w.rbegin());
    }
  }

  void pass(Axis axis, const float* const* rows, const std::int32_t* starts, std::int64_t count,
            float* out, float* next) const override {
    const std::vector<float>& w = factors_[static_cast<std::size_t>(axis)];
    if (axis == Axis::y) {
      kernels_.along(rows[0], w.data(), static_cast<std::int64_t>(w.size()), starts, count, out);
      return;
    }
    const auto weighted =
        mirrored_[static_cast<std::size_t>(axis)] ? kernels_.weighted_mirrored : kernels_.weighted;
    weighted(rows, w.data(), static_cast<std::int64_t>(w.size()), starts, count, out, next);
  }

 private:
  const FilterKernels& kernels_ = filter_kernels();
  std::array<std::vector<float>, 3> factors_;  // z, x, y as Axis
  std::array<bool, 3> mirrored_{};
};

class Magnitude : public WindowFilter {
 public:
  explicit Magnitude(const std::vector<Stencil>& components)
      : WindowFilter(largest_size(components)) {
    for (const Stencil& s : components) {
      parts_.push_back(std::make_unique<DenseCorrelation>(s));
      sizes_.push_back(s.size);
    }
  }

  void reserve(const Slab& largest, SweepScratch& scratch) const override {
    WindowFilter::reserve(largest, scratch);
    if (scratch.more.size() < scratch.results.size()) scratch.more.resize(scratch.results.size());
  }

  void compute(const Window& window, const std::int32_t* starts, std::int64_t count,
               SweepScratch& scratch, float* out) const override {
    const std::int64_t n = count * window.outputs_z * window.outputs_x * kBlock;
    std::fill(out, out + n, 0.0F);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      // The rows around the outputs that this component looks at.
      const Size3& size = sizes_[p];
      const Size3 skip{(window.size_z - size.z) / 2, (window.size_x - size.x) / 2,
                       (window.size_y - size.y) / 2};
      for (std::int64_t z = 0; z < size.z + window.outputs_z - 1; ++z) {
        scratch.part[static_cast<std::size_t>(z)] =
            window.planes[z + skip.z] + skip.x * window.stride + skip.y;
      }
      Window part = window;
      part.planes = scratch.part.data();
      part.size_z = size.z;
      part.size_x = size.x;
      part.size_y = size.y;
      float* const g = scratch.more.data();
      parts_[p]->compute(part, starts, count, scratch, g);
      for (std::int64_t i = 0; i < n; ++i) out[i] += g[i] * g[i];
    }
    for (std::int64_t i = 0; i < n; ++i) out[i] = std::sqrt(out[i]);
  }

 private:
  static Size3 largest_size(const std::vector<Stencil>& components) {
    Size3 n{1, 1, 1};
    for (const Stencil& s : components) {
      n = {std::max(n.z, s.size.z), std::max(n.x, s.size.x), std::max(n.y, s.size.y)};
    }
    return n;
  }

  std::vector<std::unique_ptr<DenseCorrelation>> parts_;
  std::vector<Size3> sizes_;
};

}  // namespace

std::unique_ptr<SweepFilter> make_correlation(const Stencil& stencil) {
  switch (plan_correlation(stencil).scheme) {
    case CorrelationScheme::passes:
      return std::make_unique<SeparableCorrelation>(stencil.size, *separate(stencil));
    case CorrelationScheme::folded: {
      const std::vector<float> weights(stencil.weights.begin(), stencil.weights.end());
      return std::make_unique<FoldedCorrelation>(FoldedStencil(stencil.size, weights));
    }
    case CorrelationScheme::taps:
    case CorrelationScheme::dense:
      break;
  }
  return std::make_unique<DenseCorrelation>(stencil);
}

std::unique_ptr<SweepFilter> make_magnitude(const std::vector<Stencil>& components) {
  return std::make_unique<Magnitude>(components);
}

}  // namespace aprscope::detail
