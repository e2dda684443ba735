#include "render/slice_transform.hpp"

#include <algorithm>
#include <cmath>

namespace aprscope {
namespace {

constexpr double kFitShare = 0.96;
constexpr double kSmallest = 0.25;  // of the fitted scale
constexpr double kLargest = 128.0;  // widget pixels a pixel

}  // namespace

void SliceTransform::set_plane(double rows, double cols, double row_step, double col_step) {
  rows_ = std::max(rows, 1.0);
  cols_ = std::max(cols, 1.0);
  row_step_ = row_step > 0.0 && std::isfinite(row_step) ? row_step : 1.0;
  col_step_ = col_step > 0.0 && std::isfinite(col_step) ? col_step : 1.0;
}

void SliceTransform::set_widget(QSizeF size) {
  widget_ = {std::max(size.width(), 1.0), std::max(size.height(), 1.0)};
  if (fitted_) fit();
}

double SliceTransform::fit_scale() const {
  return kFitShare *
         std::min(widget_.width() / (cols_ * col_step_), widget_.height() / (rows_ * row_step_));
}

double SliceTransform::limited(double scale) const {
  const double fit = fit_scale();
  const double largest = std::max(kLargest / std::min(row_step_, col_step_), fit);
  return std::isfinite(scale) ? std::clamp(scale, kSmallest * fit, largest) : fit;
}

// Keeps the middle of the view on the picture, so that the user cannot lose sight of it.
void SliceTransform::limit_center() {
  camera_.row = std::clamp(camera_.row, 0.0, rows_);
  camera_.col = std::clamp(camera_.col, 0.0, cols_);
}

void SliceTransform::fit() {
  camera_ = {0.5 * rows_, 0.5 * cols_, fit_scale()};
  fitted_ = true;
}

void SliceTransform::set_camera(const SliceCamera& camera) {
  camera_ = camera;
  camera_.scale = limited(camera.scale);
  if (!std::isfinite(camera_.row) || !std::isfinite(camera_.col)) {
    camera_.row = 0.5 * rows_;
    camera_.col = 0.5 * cols_;
  }
  limit_center();
  fitted_ = false;
}

void SliceTransform::zoom_at(double factor, const QPointF& anchor) {
  const QPointF before = to_plane(anchor);
  camera_.scale = limited(camera_.scale * factor);
  const QPointF after = to_plane(anchor);
  camera_.col += before.x() - after.x();
  camera_.row += before.y() - after.y();
  limit_center();
  fitted_ = false;
}

void SliceTransform::pan(const QPointF& by) {
  camera_.col -= by.x() / (camera_.scale * col_step_);
  camera_.row -= by.y() / (camera_.scale * row_step_);
  limit_center();
  fitted_ = false;
}

double SliceTransform::zoom() const { return camera_.scale * std::min(row_step_, col_step_); }

QPointF SliceTransform::to_widget(double row, double col) const {
  return {0.5 * widget_.width() + (col - camera_.col) * col_step_ * camera_.scale,
          0.5 * widget_.height() + (row - camera_.row) * row_step_ * camera_.scale};
}

QPointF SliceTransform::to_plane(const QPointF& position) const {
  return {camera_.col + (position.x() - 0.5 * widget_.width()) / (camera_.scale * col_step_),
          camera_.row + (position.y() - 0.5 * widget_.height()) / (camera_.scale * row_step_)};
}

}  // namespace aprscope
