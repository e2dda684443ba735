#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "render/dot_cloud.hpp"
#include "render/image_quad.hpp"
#include "render/overlay.hpp"
#include "render/slice_box.hpp"
#include "render/slice_detail.hpp"
#include "render/slice_line.hpp"
#include "render/slice_transform.hpp"
#include "render/slice_view.hpp"

namespace aprscope {

/// The state of a slice view, shared by its drawing, its overlay and its mouse handling.
struct SliceView::Impl {
  enum class Content { nothing, plane, dots };
  enum class Drag { none, crosshair, pan, reveal, line, brush, box };

  Impl(Axis perpendicular, vtkRenderer& scene)
      : renderer(&scene),
        axis(perpendicular),
        image(scene),
        second_image(scene),
        detail_image(scene),
        dots(scene),
        overlay(scene) {}

  vtkRenderer* renderer = nullptr;
  Axis axis;
  Size3 size{0, 0, 0};
  VoxelSize voxel;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  double row_step = 1.0;
  double col_step = 1.0;

  Content content = Content::nothing;
  Plane plane;
  std::int64_t index = 0;
  /// The slice that was asked for but is not shown yet, so that quick wheel steps are not lost.
  std::optional<std::int64_t> wanted_index;
  FineSteps fine;
  /// The slice of the finer image that was stepped to; −1: none yet.
  std::int64_t fine_last = -1;
  Index3 crosshair{0, 0, 0};
  /// The crosshair before the last click.
  std::optional<Index3> crosshair_before;

  Contrast contrast;
  ColorTable table = colormap("grey");
  std::optional<LevelSet> level_set;
  LabelPlane labels;
  LabelMarks label_marks;
  ChannelPlanes channels;
  std::vector<ChannelLook> looks;
  ViewTheme theme = ViewTheme::dark_theme();
  SliceCaption caption;
  std::vector<LegendEntry> legend;
  double legend_width = 0.0;
  bool colors_stale = true;
  bool crosshair_visible = true;
  bool scale_bar_visible = true;
  bool captions_visible = true;
  bool columns_are_x = false;
  /// The view has the keyboard.
  bool focused = false;

  SliceDetail detail;
  Plane second;  // empty: one picture only
  Contrast second_contrast;
  ColorTable second_table = colormap("grey");
  QString left_name;
  QString right_name;
  double reveal = 0.5;

  SliceLine line;
  SliceBox box;

  SliceTransform transform;
  ImageQuad image;
  ImageQuad second_image;
  ImageQuad detail_image;
  DotCloud dots;
  Overlay overlay;

  /// Drawn in one frame, see SliceView::add_samples().
  std::vector<std::unique_ptr<ImageQuad>> samples;

  Drag drag = Drag::none;
  /// Whether drags are strokes of the brush; and the stroke that is being drawn.
  bool brush = false;
  std::vector<Index3> stroke;
  QPointF last_mouse;
  /// The position where the left button was pressed, until the pointer moves away.
  std::optional<QPointF> pressed;
  bool space_held = false;
  bool hovering = false;
  int wheel_rest = 0;

  void set_index(std::int64_t shown);
  [[nodiscard]] Index3 inside(const Index3& p) const;
  /// The voxel at a fractional (column, row), clamped to the image; its third index is the slice's.
  [[nodiscard]] Index3 voxel_of(const QPointF& at) const;
  [[nodiscard]] SliceScaleBar scale_bar() const;
  /// A slice with those of other channels, if channels are shown, as it is drawn: the view's own
  /// with labels.
  [[nodiscard]] std::vector<std::uint8_t> colours(const Plane& of,
                                                  const std::vector<ChannelPlane>& others) const;
  void recolor();
  /// Whether the finer picture is drawn.
  [[nodiscard]] bool detailed() const;
  void draw_overlay(QSize widget, double ratio);
  void draw_crosshair(QSize widget);
  void draw_captions(QSize widget);
  void draw_scale_bar(QSize widget);
  void draw_legend(QSize widget);
  void draw_reveal(QSize widget);
  void draw_line();
  void draw_box();
  /// Whether two slices are shown, with the handle between.
  [[nodiscard]] bool parted() const { return content == Content::plane && !second.values.empty(); }
  void part_images();
  void set_legend(std::vector<LegendEntry> entries);
  [[nodiscard]] QRectF legend_swatch(QSize widget, std::size_t entry) const;
};

}  // namespace aprscope
