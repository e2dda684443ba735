#include "render/mip_rays.hpp"

#include <algorithm>
#include <utility>

#include "core/apr/raycast/seen_box.hpp"
#include "render/mip_view_state.hpp"

namespace aprscope {

void MipRays::set_depth(double share) {
  if (share == view_.impl_->depth_share) return;
  const bool before = view_.impl_->wants_matter();
  view_.impl_->depth_share = share;
  if (!before && !view_.impl_->wants_matter()) return;
  view_.request_picture(true);
  view_.update();
}

void MipRays::set_detail(std::shared_ptr<const MipDetail> detail) {
  if (detail == view_.impl_->detail) return;
  view_.impl_->detail = std::move(detail);
  // The picture on screen stays until the finer one is there: no coarse one in between.
  view_.request_picture(view_.impl_->rest.isActive());
  view_.update();
}

std::shared_ptr<const MipDetail> MipRays::detail() const { return view_.impl_->detail; }

std::optional<Region> MipRays::in_sight(int finer) const {
  const MipView::Impl& now = *view_.impl_;
  // As wide as a picture is in rays.
  const double ratio = view_.devicePixelRatioF();
  const double aspect = static_cast<double>(std::max(1, qRound(view_.width() * ratio))) /
                        std::max(1, qRound(view_.height() * ratio));
  return seen_box(finer_camera(view_.navigation_.ray_camera(), finer), finer_size(now.size, finer),
                  finer_voxel(now.voxel, finer), aspect);
}

bool MipRays::shows_detail() const { return view_.impl_->has_picture && view_.impl_->is_detail; }

bool MipRays::shows_matter() const { return view_.impl_->has_picture && view_.impl_->is_matter; }

bool MipRays::shows_surface() const { return view_.impl_->has_picture && view_.impl_->is_surface; }

std::optional<float> MipRays::surface() const { return view_.impl_->surface_at(); }

bool MipView::Impl::wants_matter() const {
  const bool marked = level_set && pair == MipPair::first;
  return depth_share > 0.0 && pair != MipPair::difference && !marked && !wanted_labels();
}

// Of the source and of the second volume, or of each channel.
std::vector<Translucency> MipView::Impl::wanted_matter() const {
  if (!wants_matter()) return {};
  const double depth = depth_share * mean_side(size, voxel);
  std::vector<Translucency> out;
  const auto channels = wanted_volumes();
  if (!channels) return {{contrast, depth}, {second_contrast, depth}};
  for (const ChannelVolume& one : *channels) {
    const auto c = static_cast<std::size_t>(one.channel);
    out.push_back({c < looks.size() ? looks[c].contrast : contrast, depth});
  }
  return out;
}

// Contrast says how much matter there is, while projections only take other colours.
void MipView::renew_matter(const std::vector<Translucency>& before) {
  impl_->colors_stale = true;
  if (before != impl_->wanted_matter()) {
    // Nobody looks at a hidden view: its picture is made when it is shown.
    impl_->matter_stale = !isVisible();
    if (isVisible()) request_picture(true);
  }
  update();
}

}  // namespace aprscope
