#include "core/filter/pass_sweep.hpp"
#include "core/filter/window_sweep.hpp"

namespace aprscope::detail {
namespace {

// Largest or smallest of a box: three passes, as for separable stencils.
class Extreme : public PassFilter {
 public:
  Extreme(const Size3& size, bool largest) : PassFilter(size), size_(size), largest_(largest) {}

  void pass(Axis axis, const float* const* rows, const std::int32_t* starts, std::int64_t count,
            float* out, float* next) const override {
    const auto choose = largest_ ? kernels_.largest : kernels_.smallest;
    const std::int64_t n = axis == Axis::z ? size_.z : axis == Axis::x ? size_.x : size_.y;
    choose(rows, n, starts, count, out, next);
  }

 private:
  const FilterKernels& kernels_ = filter_kernels();
  Size3 size_;
  bool largest_;
};

class Median : public WindowFilter {
 public:
  explicit Median(const Size3& size) : WindowFilter(size) {}

  void reserve(const Slab& largest, SweepScratch& scratch) const override {
    WindowFilter::reserve(largest, scratch);
    const auto n = static_cast<std::size_t>(size().count() * kBlock);
    if (scratch.more.size() < n) scratch.more.resize(n);
  }
  void compute(const Window& window, const std::int32_t* starts, std::int64_t count,
               SweepScratch& scratch, float* out) const override {
    filter_kernels().median(window, starts, count, scratch.more.data(), out);
  }
};

class Deviation : public WindowFilter {
 public:
  explicit Deviation(const Size3& size) : WindowFilter(size) {}

  void compute(const Window& window, const std::int32_t* starts, std::int64_t count, SweepScratch&,
               float* out) const override {
    filter_kernels().deviation(window, starts, count, out);
  }
};

}  // namespace

std::unique_ptr<SweepFilter> make_statistic(LocalStatistic statistic, const Size3& size) {
  switch (statistic) {
    case LocalStatistic::mean:
      return make_correlation(wide_box_stencil(size));
    case LocalStatistic::min:
      return std::make_unique<Extreme>(size, false);
    case LocalStatistic::max:
      return std::make_unique<Extreme>(size, true);
    case LocalStatistic::standard_deviation:
      return std::make_unique<Deviation>(size);
    case LocalStatistic::median:
      break;
  }
  return std::make_unique<Median>(size);
}

}  // namespace aprscope::detail
