#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/apr/sample/slice.hpp"
#include "core/image/colormap.hpp"
#include "core/image/profile.hpp"
#include "render/slice_channels.hpp"
#include "render/slice_comparison.hpp"
#include "render/slice_marks.hpp"
#include "render/slice_navigation.hpp"
#include "render/slice_overlays.hpp"
#include "render/slice_tools.hpp"
#include "render/view_theme.hpp"
#include "render/vtk_widget.hpp"

namespace aprscope {

/// One slice, with the physical aspect of its pixels. All views share one orientation:
/// perpendicular to z: y to the right, x down; to x: y right, z down; to y: x right, z down.
///
/// Mouse and keys: left click or drag sets the crosshair · wheel: next/previous slice · Ctrl+wheel:
/// zoom about the cursor · middle or right drag, or left drag with the space bar: pan ·
/// double-click: maximise · Page Up/Down: slice ±1 (with Shift ±10), Home/End: first/last slice ·
/// arrows: crosshair by one pixel · + and −: zoom · F: fit.
///
/// The view emits slice_requested and crosshair_moved and does not change by itself; its owner
/// answers with set_plane and set_crosshair.
///
/// Two slices can share the view: the first to the left of a handle that the user drags, the second
/// to the right of it. With the line tool on, dragging draws a line (or moves it, or an end of it)
/// instead of the crosshair, with Shift in one of eight directions; with a box set, it draws, moves
/// or resizes the box. With both a click sets the crosshair.
class SliceView : public VtkWidget {
  Q_OBJECT

 public:
  explicit SliceView(Axis axis, QWidget* parent = nullptr);
  ~SliceView() override;

  [[nodiscard]] Axis axis() const;

  /// Size and voxel size of the whole volume; needed before set_plane. Fits the view when either
  /// changes. Clears the picture. With an axis, slices are of that orientation from now on.
  void set_shape(const Size3& size, const VoxelSize& voxel, std::optional<Axis> axis = {});

  /// Shows a slice (rows × cols of plane_shape; another shape is refused with a line in the log).
  /// NaN shows the background. Leaves dots mode.
  void set_plane(Plane plane, std::int64_t index);

  /// Shows particles as dots instead of pixels: colour by value, diameter by the side of the cell.
  void set_dots(std::vector<SliceDot> dots, std::int64_t index);

  void clear();

  void set_contrast(const Contrast& contrast);
  [[nodiscard]] const Contrast& contrast() const;
  void set_color_table(const ColorTable& table);
  void set_theme(const ViewTheme& theme);

  /// Moves the crosshair lines; does not emit crosshair_moved.
  void set_crosshair(const Index3& position);
  [[nodiscard]] const Index3& crosshair() const;
  /// Index of the slice shown.
  [[nodiscard]] std::int64_t index() const;

  [[nodiscard]] SliceNavigation& navigation() { return navigation_; }
  [[nodiscard]] SliceOverlays& overlays() { return overlays_; }
  [[nodiscard]] SliceMarks& marks() { return marks_; }
  [[nodiscard]] SliceChannels& channels() { return channels_; }
  [[nodiscard]] SliceComparison& comparison() { return comparison_; }
  [[nodiscard]] SliceTools& tools() { return tools_; }

  /// Logical widget position of a point given in fractional pixels: (0.5, 0.5) is the centre of the
  /// first pixel.
  [[nodiscard]] QPointF to_widget(double row, double col) const;
  /// The voxel under a logical widget position, none outside of the image.
  [[nodiscard]] std::optional<Index3> voxel_at(const QPointF& position) const;

 signals:
  void crosshair_moved(const aprscope::Index3& position);
  void hovered(const aprscope::Index3& position);
  void hover_left();
  /// The user clicked a voxel without a drag. It may be the first click of a double-click; in that
  /// case maximise_requested follows.
  void clicked(const aprscope::Index3& position);
  /// The user finished a stroke of the brush: the voxels under it, each next to the one before.
  void stroke(const std::vector<aprscope::Index3>& voxels);
  void slice_requested(std::int64_t index);
  /// A step led to another slice of the finer image, but not of the view; see FineSteps.
  void fine_stepped();
  void maximise_requested();
  /// The user dragged the handle / drew a line or moved it.
  void reveal_moved(double fraction);
  void line_drawn(const aprscope::PlaneLine& line);
  /// The user is dragging the box: its pixels as they are now.
  void box_dragged(const aprscope::Region& box);
  void camera_changed(const aprscope::SliceCamera& camera);

 protected:
  void prepare_frame() override;
  void add_samples() override;
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
  void point(const QPointF& position);
  void hover_again();
  void draw_stroke(const QPointF& position);
  void request_slice(std::int64_t index);
  void step_slices(std::int64_t by);
  // Defined in slice_view_compare.cpp. True if the handle takes the event, or is there:
  bool press_compare(const QPointF& position);
  void drag_compare(const QPointF& position);
  bool point_compare(const QPointF& position);
  // Defined in slice_line.cpp. True if the line takes the event:
  bool press_line(const QPointF& position);
  void drag_line(const QPointF& position, Qt::KeyboardModifiers keys);
  void point_line(const QPointF& position);
  // Defined in slice_box.cpp. True if the box takes the event, or would:
  bool press_box(const QPointF& position, Qt::KeyboardModifiers keys);
  void drag_box(const QPointF& position);
  bool point_box(const QPointF& position);
  // These classes are the view's interface for others, see navigation(), overlays() and so on.
  friend class SliceNavigation;
  friend class SliceOverlays;
  friend class SliceMarks;
  friend class SliceChannels;
  friend class SliceComparison;
  friend class SliceTools;

  std::unique_ptr<Impl> impl_;
  SliceNavigation navigation_{*this};
  SliceOverlays overlays_{*this};
  SliceMarks marks_{*this};
  SliceChannels channels_{*this};
  SliceComparison comparison_{*this};
  SliceTools tools_{*this};
};

}  // namespace aprscope
