#include "render/mip_comparison.hpp"

#include <algorithm>
#include <utility>

#include <vtkRenderer.h>

#include "render/mip_view_state.hpp"

namespace aprscope {

void MipComparison::set_second_source(std::shared_ptr<const Raycaster> second, MipPair pair) {
  if (second == view_.impl_->second && pair == view_.impl_->pair) return;
  view_.impl_->second = std::move(second);
  view_.impl_->pair = pair;
  view_.impl_->last_asked_exact = true;  // so that the running job, of another pair, is stopped
  view_.impl_->has_picture = false;
  view_.impl_->frame = {};
  view_.impl_->second_picture = {};
  view_.impl_->picture_range = 0.0;
  view_.renderer()->TexturedBackgroundOff();
  view_.request_picture(true);
  view_.update();
}

MipPair MipComparison::pair() const { return view_.impl_->pair; }

void MipComparison::set_second_colors(const Contrast& contrast, const ColorTable& table) {
  if (contrast == view_.impl_->second_contrast && table == view_.impl_->second_table) return;
  const auto before = view_.impl_->wanted_matter();
  view_.impl_->second_contrast = contrast;
  view_.impl_->second_table = table;
  view_.renew_matter(before);
}

void MipComparison::set_reveal(double fraction) {
  fraction = std::clamp(fraction, 0.0, 1.0);
  if (fraction == view_.impl_->reveal) return;
  view_.impl_->reveal = fraction;
  view_.impl_->parts_stale = true;
  view_.update();
}

double MipComparison::reveal() const { return view_.impl_->reveal; }

void MipComparison::set_reveal_names(const QString& left, const QString& right) {
  view_.impl_->left_name = left;
  view_.impl_->right_name = right;
  view_.update();
}

void MipComparison::set_difference_range(double range) {
  if (range == view_.impl_->wanted_range) return;
  view_.impl_->wanted_range = range;
  view_.impl_->colors_stale = true;
  view_.update();
}

double MipComparison::difference_range() const {
  if (view_.impl_->wanted_range > 0.0) return view_.impl_->wanted_range;
  return view_.impl_->differs() ? view_.impl_->picture_range : 1.0;
}

}  // namespace aprscope
