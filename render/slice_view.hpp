#pragma once

#include <QColor>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/apr/sample/slice.hpp"
#include "core/image/colormap.hpp"
#include "core/image/label_plane.hpp"
#include "core/image/level_set.hpp"
#include "core/image/profile.hpp"
#include "render/view_theme.hpp"
#include "render/vtk_widget.hpp"

namespace aprscope {

/// What a view says about its picture, in its corners.
struct SliceCaption {
  /// "particles, constant", "pixels", "levels", …
  QString mode;
  /// "level ≤ 8", "filtered: gaussian σ = 2"; empty: nothing.
  QString detail;
  enum class Badge { none, preview, final_result } badge = Badge::none;
};

/// One colour of a picture and what it stands for.
struct LegendEntry {
  QColor color;
  QString label;
  friend bool operator==(const LegendEntry&, const LegendEntry&) = default;
};

/// Where a slice view looks: the point at its centre (fractional pixels of the plane) and logical
/// screen pixels per unit of the voxel size.
struct SliceCamera {
  double row = 0.0;
  double col = 0.0;
  double scale = 1.0;
};

/// One slice, with the physical aspect of its pixels. All views share one orientation:
/// perpendicular to z: y to the right, x down; to x: y right, z down; to y: x right, z down.
///
/// Mouse and keys: left click or drag sets the crosshair · wheel: next/previous slice · Ctrl+wheel:
/// zoom about the cursor · middle or right drag, or left drag with the space bar: pan ·
/// double-click: maximise · Page Up/Down: slice ±1 (with Shift ±10), Home/End: first/last slice ·
/// arrows: crosshair by one pixel · + and −: zoom · F: fit.
///
/// The view asks, its owner answers: it emits slice_requested and crosshair_moved, and shows what
/// set_plane and set_crosshair give it.
///
/// Two slices can share the view: the first to the left of a handle that the user drags, the second
/// to the right of it. With the line tool on, dragging draws a line (or moves an end of it) instead
/// of the crosshair.
class SliceView : public VtkWidget {
  Q_OBJECT

 public:
  explicit SliceView(Axis axis, QWidget* parent = nullptr);
  ~SliceView() override;

  [[nodiscard]] Axis axis() const;
  /// Shows slices of another orientation from now on; set_shape() has to follow.
  void set_axis(Axis axis);

  /// Size and voxel size of the whole volume; needed before set_plane. Fits the view when either
  /// changes. Clears the picture.
  void set_shape(const Size3& size, const VoxelSize& voxel);

  /// Shows a slice (rows × cols of plane_shape; another shape is refused with a line in the log).
  /// NaN shows the background. Leaves dots mode.
  void set_plane(Plane plane, std::int64_t index);

  /// Shows particles as dots instead of pixels: colour by value, diameter by the side of the cell.
  void set_dots(std::vector<SliceDot> dots, std::int64_t index);

  void clear();

  void set_contrast(const Contrast& contrast);
  [[nodiscard]] const Contrast& contrast() const;
  void set_color_table(const ColorTable& table);
  /// Marks what a threshold keeps of the first slice, its border stronger; none: nothing.
  void set_level_set(const std::optional<LevelSet>& set);
  [[nodiscard]] const std::optional<LevelSet>& level_set() const;
  /// Draws labels over the first slice; a plane of another shape, or none: nothing. They go with
  /// the slice that they were set for: set_plane() and set_dots() forget them.
  void set_labels(LabelPlane labels);
  [[nodiscard]] const LabelPlane& labels() const;
  /// How labels are drawn.
  void set_label_marks(const LabelMarks& marks);
  void set_caption(const SliceCaption& caption);
  [[nodiscard]] const SliceCaption& caption() const;
  /// Lists colours beside the picture, from top to bottom; none: no list. Left out while captions
  /// are off or the view is too small for all of it.
  void set_legend(std::vector<LegendEntry> legend);
  [[nodiscard]] const std::vector<LegendEntry>& legend() const;
  /// Where the colour of an entry is drawn, in logical pixels; empty while it is not.
  [[nodiscard]] QRectF legend_swatch(std::size_t entry) const;
  void set_theme(const ViewTheme& theme);
  void set_crosshair_visible(bool visible);
  void set_scale_bar_visible(bool visible);
  /// Corner texts on or off (off for bare screenshots).
  void set_captions_visible(bool visible);
  /// Captions call columns x and rows y, instead of rows x and columns y as APR files do.
  void set_columns_are_x(bool on);

  /// A second slice, of the same shape, to the right of the handle; an empty one ends that.
  void set_second_plane(Plane plane);
  void set_second_colors(const Contrast& contrast, const ColorTable& table);
  /// What stands at the two sides of the handle.
  void set_reveal_names(const QString& left, const QString& right);
  /// Where the handle is, as a part of the view's width; does not emit reveal_moved.
  void set_reveal(double fraction);
  [[nodiscard]] double reveal() const;

  void set_line_tool(bool on);
  [[nodiscard]] bool line_tool() const;
  /// Does not emit line_drawn.
  void set_line(const std::optional<PlaneLine>& line);
  [[nodiscard]] const std::optional<PlaneLine>& line() const;

  /// While it is on, a drag draws a stroke instead of moving the crosshair.
  void set_brush(bool on);

  /// Moves the crosshair lines; does not emit crosshair_moved.
  void set_crosshair(const Index3& position);
  [[nodiscard]] const Index3& crosshair() const;
  /// Index of the slice shown.
  [[nodiscard]] std::int64_t index() const;

  void fit();
  /// Scales by `factor`, keeping the point under `anchor` (logical widget pixels) where it is.
  void zoom_at(double factor, const QPointF& anchor);
  /// Zoom in screen pixels per pixel of the image (along its finer dimension).
  [[nodiscard]] double zoom() const;
  [[nodiscard]] SliceCamera camera() const;
  /// Whether the whole slice is shown as fit() does, and will be after a change of size.
  [[nodiscard]] bool fitted() const;
  void set_camera(const SliceCamera& camera);

  /// Logical widget position of a point given in fractional pixels: (0.5, 0.5) is the centre of the
  /// first pixel.
  [[nodiscard]] QPointF to_widget(double row, double col) const;
  /// The voxel under a logical widget position, none outside of the image.
  [[nodiscard]] std::optional<Index3> voxel_at(const QPointF& position) const;

  /// The scale bar as drawn: length in logical screen pixels and what its label says.
  struct ScaleBar {
    double pixels = 0.0;
    double length = 0.0;
    QString label;
  };
  [[nodiscard]] ScaleBar scale_bar() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void crosshair_moved(const aprscope::Index3& position);
  void hovered(const aprscope::Index3& position);
  void hover_left();
  /// A click that was no drag, at a voxel; it may be the first of a double click, which emits
  /// maximise_requested then.
  void clicked(const aprscope::Index3& position);
  /// A stroke of the brush was ended: the voxels under it, one next to the other.
  void stroke(const std::vector<aprscope::Index3>& voxels);
  void slice_requested(std::int64_t index);
  void maximise_requested();
  /// The user dragged the handle / drew a line or moved an end of it.
  void reveal_moved(double fraction);
  void line_drawn(const aprscope::PlaneLine& line);
  void camera_changed(const aprscope::SliceCamera& camera);

 protected:
  void prepare_frame() override;
  void finish_frame() override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Impl;
  void drag_crosshair(const QPointF& position);
  void hover_again();
  void draw_stroke(const QPointF& position);
  void request_slice(std::int64_t index);
  // In slice_view_compare.cpp. True when the handle or the line took the event:
  bool press_compare(const QPointF& position);
  void drag_compare(const QPointF& position);
  void point_compare(const QPointF& position);
  std::unique_ptr<Impl> impl_;
};

}  // namespace aprscope
