#include "app/gui/compare/compare_volumes.hpp"

#include <QElapsedTimer>
#include <QSplitter>
#include <algorithm>

namespace aprscope::gui {

CompareVolumes::CompareVolumes(Document& document, Comparison& comparison, QSplitter& row)
    : QObject(&row),
      document_(document),
      comparison_(comparison),
      left_(new MipView(&row)),
      right_(new MipView(&row)),
      pair_(new MipView(&row)),
      leading_(left_) {
  left_->setObjectName(QStringLiteral("compare_mip_left"));
  right_->setObjectName(QStringLiteral("compare_mip_right"));
  pair_->setObjectName(QStringLiteral("compare_mip_pair"));
  for (MipView* view : views()) {
    view->hide();
    link(*view);
  }
  connect(pair_, &MipView::reveal_moved, this, [this](double fraction) {
    CompareSettings settings = comparison_.settings();
    settings.reveal = fraction;
    comparison_.set_settings(settings);
  });
  connect(pair_, &MipView::frame_shown, this, [this] {
    if (pair_->comparison().pair() == MipPair::difference) emit difference_changed();
  });
}

void CompareVolumes::link(MipView& from) {
  connect(&from, &MipView::camera_changed, this, [this, &from] {
    if (!from.isVisible()) return;
    for (MipView* to : views()) {
      if (to != &from && to->isVisible()) to->navigation().copy_camera(from);
    }
  });
}

void CompareVolumes::set_names(const QString& a, const QString& b) {
  name_a_ = a;
  name_b_ = b;
  left_->overlays().set_caption(a);
  right_->overlays().set_caption(b);
  pair_->comparison().set_reveal_names(a, b);
}

void CompareVolumes::fill(std::size_t view, const Item& item, bool wanted) {
  const Given now{wanted ? item.raycaster : nullptr, item.dataset};
  if (now == given_[view]) return;
  given_[view] = now;
  MipView& mip = *views()[view];
  mip.set_source(now.source, item.dataset->size(), item.dataset->voxel());
  MipInfo info;
  info.name = document_.items().full_name(item.id);
  if (item.is_apr()) {
    info.particles = item.dataset->apr().access->count();
    info.computational_ratio = item.dataset->apr().access->computational_ratio();
  }
  info.bytes = item.dataset->bytes();
  info.backend = QString::fromStdString(document_.backend().name());
  mip.overlays().set_info(info);
}

void CompareVolumes::fill_pair(const Item& a, const Item& b, bool wanted) {
  const bool shares = comparison_.same_size() && a.dataset->voxel() == b.dataset->voxel();
  const bool fits = shares && comparison_.may_measure();
  fill(2, a, wanted && fits);
  const bool reveal = comparison_.settings().mode == CompareMode::reveal;
  pair_->comparison().set_second_source(wanted && fits ? b.raycaster : nullptr,
                                        reveal ? MipPair::reveal : MipPair::difference);
  pair_->overlays().set_note(
      fits     ? QString()
      : shares ? tr("A and B are not alike: see the panel")
               : tr("Only data of the same size and voxel size can share a view"));
  pair_->overlays().set_caption(reveal ? QString()
                                       : tr("B − A   blue: A brighter, red: B brighter"));
  MipInfo info;
  info.bytes = a.dataset->bytes() + b.dataset->bytes();
  info.backend = QString::fromStdString(document_.backend().name());
  pair_->overlays().set_info(info);
}

void CompareVolumes::follow() {
  const Item* a = comparison_.a();
  const Item* b = comparison_.b();
  if (!comparison_.active() || a == nullptr || b == nullptr) return;
  const CompareSettings& now = comparison_.settings();
  const bool volume = now.place == ComparePlace::volume;
  const bool sides =
      volume && (now.mode == CompareMode::side_by_side || now.mode == CompareMode::all_three);
  const bool both = volume && now.mode != CompareMode::side_by_side;
  // Hidden views release their data.
  fill(0, *a, sides);
  fill(1, *b, sides);
  fill_pair(*a, *b, both);
  pair_->comparison().set_reveal(now.reveal);
  pair_->comparison().set_difference_range(now.difference_range);
  // A view that becomes visible takes over the camera of the others.
  const std::array<bool, 3> wanted{sides, sides, both};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    MipView& view = *views()[i];
    if (wanted[i] && !view.isVisibleTo(view.parentWidget()) && &view != leading_) {
      view.navigation().copy_camera(*leading_);
    }
    view.setVisible(wanted[i]);
  }
  if (volume) leading_ = sides ? left_ : pair_;
  if (!volume) return;
  document_.view().prepare_raycaster(a->id);
  document_.view().prepare_raycaster(b->id);
  follow_display();
  follow_crosshair();
  follow_clip();
}

void CompareVolumes::follow_display() {
  const Item* a = comparison_.a();
  const Item* b = comparison_.b();
  if (!comparison_.active() || a == nullptr || b == nullptr) return;
  const DisplaySettings& of_a = comparison_.display_of(*a);
  const DisplaySettings& of_b = comparison_.display_of(*b);
  for (MipView* view : {left_, pair_}) {
    view->set_contrast(of_a.contrast);
    view->set_color_table(colormap(of_a.colormap));
  }
  right_->set_contrast(of_b.contrast);
  right_->set_color_table(colormap(of_b.colormap));
  pair_->comparison().set_second_colors(of_b.contrast, colormap(of_b.colormap));
  const ViewOptions& options = document_.view().options();
  for (MipView* view : views()) {
    view->overlays().set_box_visible(options.box);
    view->overlays().set_planes_visible(options.planes);
    view->overlays().set_hud_visible(options.heads_up);
    view->rays().set_depth(options.translucent ? options.depth : 0.0);
  }
}

void CompareVolumes::follow_crosshair() {
  const Item* a = comparison_.a();
  const Item* b = comparison_.b();
  if (!comparison_.active() || a == nullptr || b == nullptr ||
      document_.items().current() == nullptr) {
    return;
  }
  const Dataset& now = *document_.items().current()->dataset;
  const Index3 of_a = Comparison::mapped(document_.view().crosshair(), now, *a->dataset);
  left_->set_crosshair(of_a);
  pair_->set_crosshair(of_a);
  right_->set_crosshair(Comparison::mapped(document_.view().crosshair(), now, *b->dataset));
}

void CompareVolumes::follow_clip() {
  const Item* now = document_.items().current();
  const Item* a = comparison_.a();
  const Item* b = comparison_.b();
  if (!comparison_.active() || a == nullptr || b == nullptr || now == nullptr) return;
  const auto show = [&](MipView& view, const Item& item) {
    std::optional<Region> box = document_.view().clip();
    if (box) box = Comparison::mapped(*box, *now->dataset, *item.dataset);
    view.navigation().set_only(box);
    view.overlays().set_part(box);
  };
  show(*left_, *a);
  show(*pair_, *a);
  show(*right_, *b);
}

void CompareVolumes::set_theme(const ViewTheme& theme) {
  for (MipView* view : views()) view->set_theme(theme);
}

void CompareVolumes::reset() {
  for (MipView* view : views()) view->navigation().set_preset(MipPreset::oblique);
}

bool CompareVolumes::wait_until_exact(std::chrono::milliseconds timeout) {
  QElapsedTimer timer;
  timer.start();
  const bool fits = given_[2].source != nullptr;
  for (MipView* view : views()) {
    if (!view->isVisible() || (view == pair_ && !fits)) continue;
    const auto left = timeout - std::chrono::milliseconds(timer.elapsed());
    if (!view->wait_until_exact(std::max(left, std::chrono::milliseconds(1)))) return false;
  }
  return true;
}

}  // namespace aprscope::gui
