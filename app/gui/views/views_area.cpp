#include "app/gui/views/views_area.hpp"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/document/label_choice.hpp"
#include "app/gui/views/label_scene_feed.hpp"
#include "app/gui/widgets/operation_text.hpp"
#include "core/cells/label_colours.hpp"
#include "core/image/extent.hpp"
#include "core/pipeline/brightest.hpp"
#include "render/slice_transform.hpp"

namespace aprscope::gui {
namespace {

constexpr std::array<Axis, 3> kSliceAxes{Axis::z, Axis::x, Axis::y};

// Where a voxel lies among the slices perpendicular to an axis.
struct PlaneSpot {
  std::int64_t row = 0;
  std::int64_t col = 0;
  std::int64_t index = 0;
};
PlaneSpot place_in(Axis axis, const Index3& p) {
  switch (axis) {
    case Axis::x:
      return {p.z, p.y, p.x};
    case Axis::y:
      return {p.z, p.x, p.y};
    case Axis::z:
      break;
  }
  return {p.x, p.y, p.z};
}

}  // namespace

ViewsArea::ViewsArea(Document& document, Theme& theme, QWidget* parent)
    : QWidget(parent), document_(document), theme_(theme), feed_(new SliceFeed(document, this)) {
  build();
  detail_ = new DetailFeed(document, slices_, this);
  volume_detail_ = new VolumeDetail(document, *detail_, *mip_, this);
  clip_box_ = new ClipBox(document.view(), slices_, *mip_, this);
  volume_slices_ = new VolumeSlices(document.view(), slices_, *mip_, this);
  volume_preview_ = new VolumePreview(document, this);
  connect(volume_preview_, &VolumePreview::changed, this, [this] {
    if (document_.items().current() != nullptr) follow_display();
    if (document_.items().current() != nullptr) follow_raycaster();
  });
  connect(detail_, &DetailFeed::file_changed, this, [this] {
    if (document_.items().current() != nullptr) describe_volume();
  });
  connect(detail_, &DetailFeed::level_changed, this, [this](Axis axis) {
    if (const auto& picture = shown_[static_cast<std::size_t>(axis)]) {
      slice(axis).overlays().set_caption(caption_of(*picture));
    }
  });
  for (SliceView* view : slices_) {
    connect(view, &SliceView::crosshair_moved, &document.view(), &ViewState::set_crosshair);
    connect(view, &SliceView::hovered, this, &ViewsArea::hovered);
    connect(view, &SliceView::clicked, this, &ViewsArea::clicked);
    connect(view, &SliceView::maximise_requested, this, &ViewsArea::click_taken_back);
    connect(view, &SliceView::stroke, this, &ViewsArea::stroke);
    connect(view, &SliceView::hover_left, this, &ViewsArea::hover_left);
    connect(view, &SliceView::slice_requested, this, [this, view](std::int64_t index) {
      Index3 p = document_.view().crosshair();
      (view->axis() == Axis::z ? p.z : view->axis() == Axis::x ? p.x : p.y) = index;
      document_.view().set_crosshair(p);
    });
  }
  connect(mip_, &MipView::picked, this, [this](double u, double v) {
    const Item* item = document_.items().current();
    if (item == nullptr || mip_->shows_labels()) return;
    if (mip_->slices().shown()) {
      if (const auto place = mip_->slices().at(u, v)) document_.view().set_crosshair(*place);
      return;
    }
    const Dataset& now = *item->dataset;
    const RayCamera camera = mip_->navigation().ray_camera();
    const auto found = mip_->rays().shows_surface() && level_set_
                           ? first_along(now, camera, u, v, *level_set_)
                       : mip_->rays().shows_matter() ? matter_at(*item, u, v)
                                                     : brightest_along(now, camera, u, v);
    if (found) document_.view().set_crosshair(*found);
  });
  connect(mip_, &MipView::label_picked, this,
          [this](std::uint32_t label, const std::optional<Index3>& place, bool add) {
            if (place && !add) document_.view().set_crosshair(*place);
            emit label_clicked(label, place, add);
          });
  connect(&document.view(), &ViewState::crosshair_changed, this, [this](const Index3& p) {
    for (SliceView* view : slices_) view->set_crosshair(p);
    mip_->set_crosshair(p);
  });
  connect(feed_, &SliceFeed::picture_ready, this, &ViewsArea::show_picture);
  connect(&document.items(), &ItemList::current_changed, this, &ViewsArea::follow_item);
  const auto if_current = [this](auto method) {
    return [this, method](std::uint64_t id) {
      if (document_.items().current() != nullptr && document_.items().current()->id == id)
        (this->*method)();
    };
  };
  connect(&document.items(), &ItemList::data_changed, this, if_current(&ViewsArea::follow_item));
  connect(&document.items(), &ItemList::display_changed, this,
          if_current(&ViewsArea::follow_display));
  connect(&document.view(), &ViewState::raycaster_ready, this,
          if_current(&ViewsArea::follow_raycaster));
  connect(&document.channels(), &Channels::changed, this, if_current(&ViewsArea::follow_channels));
  connect(&document.view(), &ViewState::options_changed, this, &ViewsArea::follow_options);
  connect(&document.preview(), &PreviewState::changed, this, [this] {
    if (!document_.preview().operation()) emit preview_shown(false);
  });
  connect(&theme, &Theme::changed, this, &ViewsArea::apply_theme);
  apply_theme();
  follow_options();
  follow_item();
  follow_seen();
}

// The pixel of translucent matter that is seen at a position of the 3-D view: of several channels
// that of the brightest there.
std::optional<Index3> ViewsArea::matter_at(const Item& item, double u, double v) const {
  const RayCamera camera = mip_->navigation().ray_camera();
  const Dataset& own = *item.dataset;
  const double depth = document_.view().options().depth * mean_side(own.size(), own.voxel());
  std::optional<SeenMatter> best;
  const auto look_at = [&](const Dataset& shown, const Contrast& contrast) {
    const auto seen = seen_along(shown, camera, u, v, {contrast, depth});
    if (seen && (!best || seen->brightness > best->brightness)) best = seen;
  };
  const std::vector<ItemChannel> channels = document_.channels().of(item);
  for (const ItemChannel& one : channels) {
    if (one.look.visible && one.dataset) look_at(*one.dataset, one.look.contrast);
  }
  if (channels.empty()) look_at(own, item.display.contrast);
  return best ? std::optional(best->pixel) : std::nullopt;
}

Region ViewsArea::seen() const {
  const Item* item = document_.items().current();
  if (item == nullptr) return {};
  Region box = whole(item->dataset->size());
  for (const Axis axis : {Axis::z, Axis::x, Axis::y}) {
    const SliceView& view = *slices_[static_cast<std::size_t>(axis)];
    if (!view.isVisible()) continue;
    const QPointF origin = view.to_widget(0.0, 0.0);
    const QPointF step = view.to_widget(1.0, 1.0) - origin;
    const auto narrow = [&](Axis along, double from, double side, double extent) {
      std::int64_t& begin = component(box.begin, along);
      std::int64_t& end = component(box.end, along);
      const auto first = static_cast<std::int64_t>(std::floor(-from / side));
      const auto last = static_cast<std::int64_t>(std::ceil((extent - from) / side));
      // Views that show different parts have nothing in common: the last one counts.
      const std::int64_t size = component(item->dataset->size(), along);
      const std::int64_t a = std::clamp<std::int64_t>(first, 0, size - 1);
      const std::int64_t b = std::clamp<std::int64_t>(last, a + 1, size);
      const bool meet = std::max(begin, a) < std::min(end, b);
      begin = meet ? std::max(begin, a) : a;
      end = meet ? std::min(end, b) : b;
    };
    narrow(row_axis(axis), origin.y(), step.y(), view.height());
    narrow(col_axis(axis), origin.x(), step.x(), view.width());
  }
  return box;
}

// Once is enough: in the view that fills the area, else in the first.
void ViewsArea::place_legend() {
  const ViewPlace in = maximised_.value_or(ViewPlace::xy);
  for (const Axis axis : kSliceAxes) {
    const auto& picture = shown_[static_cast<std::size_t>(axis)];
    const bool here = picture && &view(in) == &slice(axis);
    slice(axis).overlays().set_legend(here ? picture->legend : std::vector<LegendEntry>());
  }
}

void ViewsArea::set_level_set(const std::optional<LevelSet>& set, bool surface) {
  level_set_ = set;
  for (const Axis axis : kSliceAxes) mark_level_set(axis);
  mip_->set_level_set(set, surface);
}

// Levels of cells are no grey values.
void ViewsArea::mark_level_set(Axis axis) {
  const auto& picture = shown_[static_cast<std::size_t>(axis)];
  const bool values = picture && picture->mode != ShowMode::level;
  slice(axis).marks().set_level_set(values ? level_set_ : std::nullopt);
  volume_slices_->renew(axis);
}

void ViewsArea::follow_labels(LabelChoice& choice) {
  label_choice_ = &choice;
  scenes_ = new LabelSceneFeed(document_, choice, *mip_, this);
  connect(&choice, &LabelChoice::look_changed, this, &ViewsArea::mark_labels);
  connect(&choice, &LabelChoice::chosen_changed, this, &ViewsArea::mark_labels);
  const auto renew = [this] {
    const auto palette = label_palette();
    auto colours = std::make_shared<LabelColours>();
    colours->palette.assign(palette.begin(), palette.end());
    colours->of_label = label_choice_->colours();
    colours_ = std::move(colours);
    mark_labels();
  };
  connect(&choice, &LabelChoice::colours_changed, this, renew);
  renew();
}

void ViewsArea::mark_labels() {
  if (label_choice_ == nullptr) return;
  const LabelLook& look = label_choice_->look();
  LabelMarks marks;
  if (look.shown) {
    marks.colours = colours_;
    marks.inside = look.fill;
    marks.edge = look.outline ? 0.9 : look.fill;
    marks.selected = label_choice_->chosen();
  }
  for (SliceView* view : slices_) view->marks().set_label_marks(marks);
  volume_slices_->renew();
  mip_->set_label_colours(colours_, label_choice_->chosen());
}

void ViewsArea::set_brush(bool on) {
  for (SliceView* view : slices_) view->tools().set_brush(on);
}

void ViewsArea::follow_item() {
  const Item* item = document_.items().current();
  for (auto& picture : shown_) picture.reset();
  if (item == nullptr) {
    for (SliceView* view : slices_) view->clear();
    mip_->clear();
    shape_of_.reset();
    earlier_.fill(false);
    detail_->follow_item();
    return;
  }
  const Dataset& shown = *item->dataset;
  if (const bool flat = shown.size().z == 1; std::exchange(flat_, flat) != flat) {
    maximise(maximised_);
  }
  // Data of the same shape replaces the picture without a blank in between.
  const bool same_shape =
      shape_of_ && shape_of_->size() == shown.size() && shape_of_->voxel() == shown.voxel();
  const bool grown =
      !same_shape && shape_of_ && item->id == shape_id_ &&
      same_extent(shape_of_->size(), shape_of_->voxel(), shown.size(), shown.voxel());
  const std::shared_ptr<const Dataset> before = std::exchange(shape_of_, item->dataset);
  shape_id_ = item->id;
  if (!same_shape) set_shapes(grown ? before : nullptr);
  earlier_.fill(same_shape);
  detail_->follow_item();
  follow_display();
  const RayCamera rays = mip_->navigation().ray_camera();
  follow_raycaster();
  if (grown) mip_->navigation().set_ray_camera(rays);
}

// Gives the slices the shape of the current item. Of one that was smaller `before`, as an overview
// of it, they show the same place.
void ViewsArea::set_shapes(const std::shared_ptr<const Dataset>& before) {
  const Dataset& shown = *shape_of_;
  for (SliceView* view : slices_) {
    const SliceCamera camera = view->navigation().camera();
    const bool fitted = view->navigation().fitted();
    view->set_shape(shown.size(), shown.voxel());
    if (!before || fitted) continue;
    const auto ratio = [&](Axis axis) {
      return component(before->voxel(), axis) / component(shown.voxel(), axis);
    };
    view->navigation().set_camera({camera.row * ratio(row_axis(view->axis())),
                                   camera.col * ratio(col_axis(view->axis())), camera.scale});
  }
}

void ViewsArea::follow_raycaster() {
  const Item& item = *document_.items().current();
  const Dataset& shown = *item.dataset;
  const auto preview = volume_preview_->raycaster();
  mip_->set_source(preview ? preview : item.raycaster, shown.size(), shown.voxel());
  describe_volume();
  volume_detail_->look_again();
  follow_channels();
}

void ViewsArea::describe_volume() {
  const Item& item = *document_.items().current();
  const Dataset& shown = *item.dataset;
  MipInfo info;
  info.name = item.name;
  if (shown.is_apr()) {
    info.particles = shown.apr().access->count();
    info.computational_ratio = shown.apr().access->computational_ratio();
  }
  info.bytes = shown.bytes();
  info.preview = volume_preview_->raycaster() != nullptr;
  info.backend = QString::fromStdString(document_.backend().name());
  if (const auto& file = detail_->file()) {
    info.finer_levels = finest_level(file->size) - detail_->overview_level();
  }
  mip_->overlays().set_info(info);
}

void ViewsArea::follow_display() {
  const DisplaySettings& display = document_.items().current()->display;
  mip_->set_contrast(volume_preview_->contrast().value_or(display.contrast));
  mip_->set_color_table(colormap(display.colormap));
  for (const Axis axis : kSliceAxes) {
    SliceView& view = slice(axis);
    const auto& picture = shown_[static_cast<std::size_t>(axis)];
    const bool own = !earlier_[static_cast<std::size_t>(axis)];
    if (own && (!picture || !picture->contrast)) view.set_contrast(display.contrast);
    if (own && (!picture || picture->colormap.empty())) {
      view.set_color_table(colormap(display.colormap));
    }
    view.overlays().set_scale_bar_visible(display.scale_bar);
    view.overlays().set_crosshair_visible(display.crosshair);
  }
  follow_channels();
}

void ViewsArea::follow_options() {
  const ViewOptions& options = document_.view().options();
  for (SliceView* view : slices_) {
    view->overlays().set_captions_visible(options.captions);
    view->overlays().set_columns_are_x(options.axes == AxisWords::columns_are_x);
  }
  mip_->overlays().set_box_visible(options.box);
  mip_->overlays().set_planes_visible(options.planes);
  mip_->overlays().set_hud_visible(options.heads_up);
  mip_->rays().set_depth(options.translucent ? options.depth : 0.0);
  follow_seen();
}

void ViewsArea::apply_theme() {
  const ViewTheme theme = theme_.view_theme();
  for (SliceView* view : slices_) view->set_theme(theme);
  volume_slices_->renew();
  mip_->set_theme(theme);
  const QIcon icon =
      theme_.icon(maximised_ ? QStringLiteral("restore") : QStringLiteral("maximise"));
  for (QToolButton* button : buttons_) button->setIcon(icon);
  place_buttons();
}

SliceCaption ViewsArea::caption_of(const SlicePicture& picture) const {
  const Item& item = *document_.items().current();
  SliceCaption caption;
  switch (picture.mode) {
    case ShowMode::pixel:
      caption.mode = tr("pixels");
      break;
    case ShowMode::constant:
      caption.mode = tr("particles, constant");
      break;
    case ShowMode::smooth:
      caption.mode = tr("particles, smooth");
      break;
    case ShowMode::level:
      caption.mode = tr("levels");
      break;
    case ShowMode::dots:
      caption.mode = tr("particles as dots");
      break;
  }
  if (const auto level = detail_->level(picture.axis)) {
    caption.mode = tr("level %1 of %2").arg(level->shown).arg(level->finest);
  }
  if (picture.slab > 1) {
    caption.mode = tr("maximum of %1 slices, %2").arg(picture.slab).arg(caption.mode);
  }
  const QString part = picture.channels.of_slice ? tr("all channels") : part_text(item);
  if (!part.isEmpty()) caption.mode += QStringLiteral(" · ") + part;
  if (picture.preview) {
    caption.badge = SliceCaption::Badge::preview;
    caption.detail = !picture.caption.isEmpty() ? picture.caption
                     : document_.preview().operation()
                         ? short_text(*document_.preview().operation())
                         : QString();
  } else if (!item.recipe.steps.empty()) {
    caption.badge = SliceCaption::Badge::final_result;
    caption.detail = short_text(item.recipe.steps.back());
  }
  return caption;
}

void ViewsArea::show_picture(const SlicePicture& picture) {
  SliceView& view = slice(picture.axis);
  const DisplaySettings& display = document_.items().current()->display;
  view.set_contrast(picture.contrast.value_or(display.contrast));
  view.set_color_table(colormap(picture.colormap.empty() ? display.colormap : picture.colormap));
  if (picture.mode == ShowMode::dots) {
    view.set_dots(picture.dots, picture.index);
  } else {
    view.set_plane(picture.plane, picture.index);
    const bool together = Channels::shown(*document_.items().current());
    view.channels().set_planes(together ? picture.channels : ChannelPlanes());
    view.marks().set_labels(picture.labels);
  }
  view.overlays().set_caption(caption_of(picture));
  view.set_crosshair(document_.view().crosshair());
  shown_[static_cast<std::size_t>(picture.axis)] = picture;
  earlier_[static_cast<std::size_t>(picture.axis)] = false;
  show_channels();
  mark_level_set(picture.axis);
  place_buttons();
  place_legend();
  detail_->follow_picture(picture);
  volume_slices_->renew(picture.axis);
  emit preview_shown(picture.preview);
}

std::uint32_t ViewsArea::shown_label(const Index3& p) const {
  for (const auto& picture : shown_) {
    if (!picture || !feed_->seen(picture->axis) || picture->labels.values.empty()) continue;
    const auto [row, col, index] = place_in(picture->axis, p);
    if (index != picture->index || row >= picture->labels.rows || col >= picture->labels.cols) {
      continue;
    }
    return picture->labels.values[static_cast<std::size_t>(row * picture->labels.cols + col)];
  }
  return 0;
}

std::optional<float> ViewsArea::shown_value(const Index3& p) const {
  for (const auto& picture : shown_) {
    const bool own = picture && (picture->preview || picture->slab > 1);
    if (!own || picture->plane.values.empty()) continue;
    if (picture->mode == ShowMode::level || !feed_->seen(picture->axis)) continue;
    const auto [row, col, index] = place_in(picture->axis, p);
    if (index != picture->index || row >= picture->plane.rows || col >= picture->plane.cols)
      continue;
    return picture->plane.values[static_cast<std::size_t>(row * picture->plane.cols + col)];
  }
  return std::nullopt;
}

bool ViewsArea::wait_until_shown(std::chrono::milliseconds timeout) {
  QElapsedTimer timer;
  timer.start();
  const auto left = [&] { return timeout - std::chrono::milliseconds(timer.elapsed()); };
  const auto wait_a_little = [] {
    QEventLoop loop;
    QTimer::singleShot(10, &loop, &QEventLoop::quit);
    loop.exec();
  };
  while (left().count() > 0) {
    const bool scene = scenes_ != nullptr && scenes_->busy();
    const bool reading =
        feed_->busy() || detail_->busy() || volume_slices_->busy() || volume_detail_->busy();
    if (document_.jobs().busy() || document_.background().busy() || reading || scene) {
      wait_a_little();
      continue;
    }
    const Item* item = document_.items().current();
    if (item == nullptr || !item->raycaster || !mip_->isVisible()) return true;
    if (mip_->wait_until_exact(std::max(left(), std::chrono::milliseconds(1)))) return true;
    // Other data took the renderer away meanwhile: theirs is waited for.
    wait_a_little();
  }
  return false;
}

}  // namespace aprscope::gui
