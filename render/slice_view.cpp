#include "render/slice_view.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <vtkCamera.h>
#include <vtkRenderer.h>

#include "core/base/log.hpp"
#include "render/dot_cloud.hpp"
#include "render/image_quad.hpp"
#include "render/slice_view_state.hpp"

namespace aprscope {
namespace {

std::array<std::uint8_t, 4> opaque(const QColor& c) {
  return {static_cast<std::uint8_t>(c.red()), static_cast<std::uint8_t>(c.green()),
          static_cast<std::uint8_t>(c.blue()), 255};
}

std::array<std::uint8_t, 3> bytes_of(const QColor& c) {
  return {static_cast<std::uint8_t>(c.red()), static_cast<std::uint8_t>(c.green()),
          static_cast<std::uint8_t>(c.blue())};
}

// Opacities of the colour of a level set, so that the data below remains visible.
constexpr double kInside = 0.25;
constexpr double kEdgeShare = 0.9;

}  // namespace

SliceView::SliceView(Axis axis, QWidget* parent)
    : VtkWidget(parent), impl_(std::make_unique<Impl>(axis, *renderer())) {
  set_size_hints({420, 360}, {120, 100});
  set_theme(ViewTheme::dark_theme());
  setCursor(Qt::CrossCursor);
  vtkCamera* const camera = renderer()->GetActiveCamera();
  camera->ParallelProjectionOn();
  camera->SetViewUp(0, -1, 0);
}

SliceView::~SliceView() = default;

Axis SliceView::axis() const { return impl_->axis; }

void SliceView::set_shape(const Size3& size, const VoxelSize& voxel, std::optional<Axis> axis) {
  const Axis now = axis.value_or(impl_->axis);
  const bool same = size == impl_->size && voxel == impl_->voxel && now == impl_->axis;
  impl_->axis = now;
  impl_->size = size;
  impl_->voxel = voxel;
  clear();
  if (same) return;
  plane_shape(size, impl_->axis, impl_->rows, impl_->cols);
  impl_->row_step = component(voxel, row_axis(impl_->axis));
  impl_->col_step = component(voxel, col_axis(impl_->axis));
  impl_->transform.set_plane(static_cast<double>(impl_->rows), static_cast<double>(impl_->cols),
                             impl_->row_step, impl_->col_step);
  impl_->index = 0;
  impl_->wanted_index.reset();
  impl_->fine = {};
  impl_->fine_last = -1;
  impl_->crosshair = {size.z / 2, size.x / 2, size.y / 2};
  navigation_.fit();
}

void SliceView::set_plane(Plane plane, std::int64_t index) {
  if (plane.rows != impl_->rows || plane.cols != impl_->cols ||
      static_cast<std::int64_t>(plane.values.size()) != plane.rows * plane.cols) {
    log(LogLevel::error, "a slice of the wrong shape is not shown");
    return;
  }
  impl_->plane = std::move(plane);
  impl_->labels = {};
  impl_->channels = {};
  impl_->content = Impl::Content::plane;
  impl_->dots.set_visible(false);
  impl_->colors_stale = true;
  impl_->set_index(index);
  if (impl_->detail.index != index) impl_->detail = {};
  hover_again();
  update();
}

void SliceView::set_dots(std::vector<SliceDot> dots, std::int64_t index) {
  impl_->content = Impl::Content::dots;
  impl_->labels = {};
  impl_->channels = {};
  impl_->dots.set_dots(dots, impl_->row_step, impl_->col_step);
  impl_->detail = {};
  impl_->image.set_visible(false);
  impl_->second_image.set_visible(false);
  impl_->detail_image.set_visible(false);
  impl_->dots.set_visible(true);
  impl_->colors_stale = true;
  impl_->set_index(index);
  hover_again();
  update();
}

void SliceView::clear() {
  impl_->content = Impl::Content::nothing;
  impl_->second = {};
  impl_->detail = {};
  impl_->line.line.reset();
  impl_->image.set_visible(false);
  impl_->second_image.set_visible(false);
  impl_->detail_image.set_visible(false);
  impl_->dots.set_visible(false);
  update();
}

void SliceView::set_contrast(const Contrast& contrast) {
  if (contrast == impl_->contrast) return;
  impl_->contrast = contrast;
  impl_->colors_stale = true;
  update();
}

const Contrast& SliceView::contrast() const { return impl_->contrast; }

void SliceView::set_color_table(const ColorTable& table) {
  if (table == impl_->table) return;
  impl_->table = table;
  impl_->colors_stale = true;
  update();
}

void SliceView::set_theme(const ViewTheme& theme) {
  impl_->theme = theme;
  impl_->set_legend(impl_->legend);  // the list's width depends on the text size
  renderer()->SetBackground(theme.background.redF(), theme.background.greenF(),
                            theme.background.blueF());
  impl_->colors_stale = true;
  update();
}

void SliceView::set_crosshair(const Index3& position) {
  const Index3 inside = impl_->inside(position);
  if (inside == impl_->crosshair) return;
  impl_->crosshair = inside;
  update();
}

const Index3& SliceView::crosshair() const { return impl_->crosshair; }
std::int64_t SliceView::index() const { return impl_->index; }

QPointF SliceView::to_widget(double row, double col) const {
  return impl_->transform.to_widget(row, col);
}

std::optional<Index3> SliceView::voxel_at(const QPointF& position) const {
  const QPointF at = impl_->transform.to_plane(position);
  const bool inside = at.x() >= 0 && at.y() >= 0 && at.x() < static_cast<double>(impl_->cols) &&
                      at.y() < static_cast<double>(impl_->rows);
  if (!inside || impl_->size.count() <= 0) return std::nullopt;
  return impl_->voxel_of(at);
}

void SliceView::resizeEvent(QResizeEvent* event) {
  VtkWidget::resizeEvent(event);
  impl_->transform.set_widget(size());
}

void SliceView::prepare_frame() {
  impl_->transform.set_widget(size());
  if (impl_->colors_stale) {
    impl_->recolor();
    impl_->colors_stale = false;
  }
  const SliceCamera& c = impl_->transform.camera();
  const double x = c.col * impl_->col_step;
  const double y = c.row * impl_->row_step;
  // Any distance will do that is similar to the size of the picture, for a sensible depth range.
  const double far = std::max(1e-6, impl_->transform.widget().height() / c.scale);
  vtkCamera* const camera = renderer()->GetActiveCamera();
  camera->SetFocalPoint(x, y, 0);
  camera->SetPosition(x, y, -far);
  camera->SetParallelScale(0.5 * impl_->transform.widget().height() / c.scale);
  camera->SetClippingRange(0.5 * far, 1.5 * far);
  impl_->image.set_smooth(navigation_.zoom() * devicePixelRatioF() < 1.0);
  impl_->second_image.set_smooth(navigation_.zoom() * devicePixelRatioF() < 1.0);
  if (impl_->detailed()) {
    const SliceDetail& detail = impl_->detail;
    const double finer = static_cast<double>(detail.plane.cols) / detail.cols;
    impl_->detail_image.set_smooth(navigation_.zoom() * devicePixelRatioF() < finer);
    // In front of the slice: the camera looks along its third axis.
    impl_->detail_image.set_corners(
        {detail.col * impl_->col_step, detail.row * impl_->row_step, -1e-3 * far},
        {detail.cols * impl_->col_step, 0, 0}, {0, detail.rows * impl_->row_step, 0});
  }
  impl_->part_images();
  impl_->focused = hasFocus();
  impl_->draw_overlay(size(), devicePixelRatioF());
}

void SliceView::finish_frame() {
  if (impl_->samples.empty()) return;
  impl_->samples.clear();
  update();
}

// A pixel of each kind, in the colour of the background and behind the slice.
void SliceView::add_samples() {
  const SliceCamera& c = impl_->transform.camera();
  const double pixel = 1.0 / std::max(1e-6, c.scale);
  const double x = c.col * impl_->col_step;
  const double y = c.row * impl_->row_step;
  const double behind = 1e-3 * renderer()->GetActiveCamera()->GetDistance();
  const auto color = opaque(impl_->theme.background);
  // VTK handles sides that are powers of two differently, so both kinds are drawn.
  for (const std::int64_t side : {std::int64_t{4}, std::int64_t{6}}) {
    for (const bool smooth : {false, true}) {
      std::vector<std::uint8_t> picture;
      for (std::int64_t i = 0; i < side * side; ++i) {
        picture.insert(picture.end(), color.begin(), color.end());
      }
      auto quad = std::make_unique<ImageQuad>(*renderer());
      quad->set_smooth(smooth);
      quad->set_corners({x, y, behind}, {pixel, 0, 0}, {0, pixel, 0});
      quad->set_image(std::move(picture), side, side);
      impl_->samples.push_back(std::move(quad));
    }
  }
}

namespace {

std::optional<LevelSetMarks> level_set_marks(const std::optional<LevelSet>& set,
                                             const ViewTheme& theme) {
  if (!set) return std::nullopt;
  return LevelSetMarks{*set, bytes_of(theme.level_set), kInside, kEdgeShare, 0.0};
}

bool is_visible(const std::vector<ChannelLook>& looks, int channel) {
  const auto c = static_cast<std::size_t>(channel);
  return channel >= 0 && c < looks.size() && looks[c].visible;
}

}  // namespace

std::vector<std::uint8_t> SliceView::Impl::colours(const Plane& of,
                                                   const std::vector<ChannelPlane>& others) const {
  const auto nothing = opaque(theme.background);
  std::vector<std::uint8_t> rgba;
  if (channels.of_slice) {
    std::vector<ChannelLayer> layers;
    const auto add = [&](const Plane& one, int channel) {
      if (!is_visible(looks, channel)) return;
      const ChannelLook& look = looks[static_cast<std::size_t>(channel)];
      layers.push_back({one.values, look.contrast, look.colour});
    };
    add(of, *channels.of_slice);
    for (const ChannelPlane& other : others) add(other.plane, other.channel);
    rgba = blend_channels(layers, of.values.size(), nothing);
  } else {
    rgba = apply_colormap(of.values, contrast, table, nothing);
  }
  if (const auto marks = level_set_marks(level_set, theme)) {
    mark_level_set(of.values, of.cols, *marks, rgba);
  }
  const bool labelled = &of == &plane && labels.rows == rows && labels.cols == cols;
  if (labelled) mark_labels(labels, label_marks, rgba);
  return rgba;
}

bool SliceView::Impl::detailed() const {
  const bool drawn = content == Content::plane && !detail.plane.values.empty() && !parted() &&
                     labels.values.empty();
  if (!drawn || !channels.of_slice) return drawn;
  return std::all_of(
      channels.others.begin(), channels.others.end(), [&](const ChannelPlane& shown) {
        const auto same = [&](const ChannelPlane& one) { return one.channel == shown.channel; };
        return !is_visible(looks, shown.channel) ||
               std::any_of(detail.others.begin(), detail.others.end(), same);
      });
}

void SliceView::Impl::recolor() {
  const auto marks = level_set_marks(level_set, theme);
  if (content == Content::dots) dots.set_colors(contrast, table, marks);
  if (content != Content::plane) return;
  image.set_corners({0, 0, 0}, {static_cast<double>(cols) * col_step, 0, 0},
                    {0, static_cast<double>(rows) * row_step, 0});
  image.set_image(colours(plane, channels.others), rows, cols);
  image.set_visible(true);
  detail_image.set_visible(detailed());
  if (detailed()) {
    detail_image.set_image(colours(detail.plane, detail.others), detail.plane.rows,
                           detail.plane.cols);
  }
  second_image.set_visible(parted());
  if (!parted()) return;
  second_image.set_corners({0, 0, 0}, {static_cast<double>(cols) * col_step, 0, 0},
                           {0, static_cast<double>(rows) * row_step, 0});
  second_image.set_image(
      apply_colormap(second.values, second_contrast, second_table, opaque(theme.background)), rows,
      cols);
}

}  // namespace aprscope
