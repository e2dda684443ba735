// Labels in the 3-D view: what is shown of them, and which one is clicked.
#include <algorithm>
#include <cmath>
#include <utility>

#include "render/mip_view_state.hpp"

namespace aprscope {

void MipView::set_label_scene(std::shared_ptr<const LabelScene> scene) {
  if (scene == impl_->label_scene) return;
  const auto before = impl_->wanted_labels();
  impl_->label_scene = std::move(scene);
  if (before == impl_->wanted_labels()) return;
  impl_->last_asked_exact = true;  // so that the running job is stopped
  request_picture(true);
  update();
}

void MipView::set_label_colours(std::shared_ptr<const LabelColours> colours,
                                std::vector<std::uint32_t> chosen) {
  if (colours == impl_->label_colours && chosen == impl_->chosen_labels) return;
  const auto before = impl_->wanted_labels();
  impl_->label_colours = std::move(colours);
  impl_->chosen_labels = std::move(chosen);
  impl_->colors_stale = true;
  if (before != impl_->wanted_labels()) request_picture(true);
  update();
}

bool MipView::shows_labels() const { return impl_->has_picture && impl_->label_picture; }

void MipView::pick(double u, double v, bool add) {
  if (shows_labels()) {
    const RayImage& image = impl_->label_picture->all.values;
    // The picture is coarser than the view while the camera moves, so its own size counts.
    const double row = std::floor((0.5 - v) * image.height);
    const double col = std::floor(0.5 * image.width + u * image.height);
    if (row < 0.0 || col < 0.0 || row >= image.height || col >= image.width) return;
    const auto ray = static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                     static_cast<std::size_t>(col);
    const LabelPick found = aprscope::picked(*impl_->label_picture, ray);
    std::optional<Index3> place;
    if (found.pixel >= 0) {
      const Size3& n = impl_->size;
      place = Index3{found.pixel / (n.x * n.y), found.pixel / n.y % n.x, found.pixel % n.y};
    }
    emit label_picked(found.label, place, add);
  }
  if (!add) emit picked(u, v);
}

}  // namespace aprscope
