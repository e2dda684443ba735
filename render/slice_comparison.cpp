#include "render/slice_comparison.hpp"

#include <algorithm>
#include <utility>

#include "core/base/log.hpp"
#include "render/slice_view_state.hpp"

namespace aprscope {
namespace {

constexpr double kLeast = 0.0;  // limit that keeps the handle inside of the view
constexpr double kMost = 1.0;

}  // namespace

void SliceComparison::set_second_plane(Plane plane) {
  const bool fits = plane.rows == view_.impl_->rows && plane.cols == view_.impl_->cols &&
                    static_cast<std::int64_t>(plane.values.size()) == plane.rows * plane.cols;
  if (!plane.values.empty() && !fits) {
    log(LogLevel::error, "a second slice of the wrong shape is not shown");
    return;
  }
  view_.impl_->second = std::move(plane);
  view_.impl_->colors_stale = true;
  view_.update();
}

void SliceComparison::set_second_colors(const Contrast& contrast, const ColorTable& table) {
  if (contrast == view_.impl_->second_contrast && table == view_.impl_->second_table) return;
  view_.impl_->second_contrast = contrast;
  view_.impl_->second_table = table;
  view_.impl_->colors_stale = true;
  view_.update();
}

void SliceComparison::set_reveal_names(const QString& left, const QString& right) {
  view_.impl_->left_name = left;
  view_.impl_->right_name = right;
  view_.update();
}

void SliceComparison::set_reveal(double fraction) {
  view_.impl_->reveal = std::clamp(fraction, kLeast, kMost);
  view_.update();
}

double SliceComparison::reveal() const { return view_.impl_->reveal; }

}  // namespace aprscope
