#include "core/filter/window_sweep.hpp"

namespace aprscope::detail {
namespace {

class Variation : public WindowFilter {
 public:
  Variation(double distance, const float* edge)
      : WindowFilter({3, 3, 3}), distance_(static_cast<float>(distance)), edge_(edge) {}

  void compute(const Window& window, const std::int32_t* starts, std::int64_t count, SweepScratch&,
               float* out) const override {
    filter_kernels().variation(window, starts, count, distance_, *edge_, out);
  }

 private:
  float distance_;
  const float* edge_;
};

}  // namespace

std::unique_ptr<SweepFilter> make_variation(double distance, const float* edge) {
  return std::make_unique<Variation>(distance, edge);
}

}  // namespace aprscope::detail
