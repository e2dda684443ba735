#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/apr/raycast/raycast.hpp"
#include "core/cells/label_scene.hpp"
#include "core/image/colormap.hpp"
#include "core/image/label_plane.hpp"
#include "core/image/level_set.hpp"
#include "render/mip_channels.hpp"
#include "render/mip_comparison.hpp"
#include "render/mip_info.hpp"
#include "render/mip_navigation.hpp"
#include "render/mip_overlays.hpp"
#include "render/mip_paint.hpp"
#include "render/mip_rays.hpp"
#include "render/mip_slices.hpp"
#include "render/view_theme.hpp"
#include "render/vtk_widget.hpp"

namespace aprscope {

/// The 3-D view: maximum intensity projection by rays through the particles, or what they show as
/// translucent matter, inside a box with physical lengths and the planes of the slice views; or
/// these slices alone. VTK owns camera and
/// interaction (left drag turns, middle drag pans, right drag and wheel zoom, double-click
/// maximises); a worker thread owned by the view casts the rays: coarse while the camera moves,
/// every screen pixel once it rests. The thread of the user interface never waits for it.
///
/// Keys: 1 front (as the xy slice), 2 top (as xz), 3 side (as yz), 0 or R oblique and fit.
class MipView : public VtkWidget {
  Q_OBJECT

 public:
  explicit MipView(QWidget* parent = nullptr);
  ~MipView() override;

  /// Shows a volume; null shows the empty box of `size`. The camera stays if size and voxel size
  /// stay, so that a preview can be swapped for its result.
  void set_source(std::shared_ptr<const Raycaster> source, const Size3& size,
                  const VoxelSize& voxel);
  void clear();

  void set_contrast(const Contrast& contrast);
  void set_color_table(const ColorTable& table);
  /// Marks what a threshold keeps: the rest of the projection is darkened, or, with `surface`, only
  /// its surface is shown (superlevel sets only). None: the plain projection.
  void set_level_set(const std::optional<LevelSet>& set, bool surface);
  /// Shows labels of the first volume instead of its projection (but not instead of a surface);
  /// null: none. Colours and choice apply at once where the scene stays the same.
  void set_label_scene(std::shared_ptr<const LabelScene> scene);
  void set_label_colours(std::shared_ptr<const LabelColours> colours,
                         std::vector<std::uint32_t> chosen);
  /// Whether the picture on screen is one of labels.
  [[nodiscard]] bool shows_labels() const;
  void set_theme(const ViewTheme& theme);
  void set_crosshair(const Index3& position);
  /// Logical widget position of a point in voxel coordinates (pixel (0, 0, 0) covers [0, 1]³).
  [[nodiscard]] QPointF to_widget(double z, double x, double y) const;

  [[nodiscard]] MipNavigation& navigation() { return navigation_; }
  [[nodiscard]] MipOverlays& overlays() { return overlays_; }
  [[nodiscard]] MipComparison& comparison() { return comparison_; }
  [[nodiscard]] MipChannels& channels() { return channels_; }
  [[nodiscard]] MipPaint& paint() { return paint_; }
  [[nodiscard]] MipRays& rays() { return rays_; }
  [[nodiscard]] MipSlices& slices() { return slices_; }

  /// What is on screen now.
  [[nodiscard]] const MipFrame& frame() const;
  /// Handles events until the picture on screen is exact for the present camera, size and source
  /// (for screenshots and tests). False on time-out, or where there is nothing to show.
  bool wait_until_exact(std::chrono::milliseconds timeout);

 signals:
  /// The camera moved, by the user or by a setter (not by MipNavigation::copy_camera()).
  void camera_changed();
  /// The user dragged the handle; reveal() has changed already.
  void reveal_moved(double fraction);
  /// A picture reached the screen.
  void frame_shown(const aprscope::MipFrame& frame);
  void maximise_requested();
  /// The user clicked (no drag, no double-click): the position relative to the middle of the
  /// picture, to the right and up, in heights of the picture.
  void picked(double u, double v);
  /// The same for labels: the label at that position (0: none) and the position of its surface;
  /// `add`: with Shift, for which picked() is not emitted.
  void label_picked(std::uint32_t label, const std::optional<aprscope::Index3>& place, bool add);

 protected:
  bool event(QEvent* event) override;
  void prepare_frame() override;
  void finish_frame() override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  struct Impl;
  void request_picture(bool moving);
  void place_when_seen();
  void take_picture();
  bool drag_handle(QEvent* event);
  void notice_click(QEvent* event);
  void pick(double u, double v, bool add);
  void color_picture();
  void renew_matter(const std::vector<Translucency>& before);
  void draw_hud();
  void draw_pair() const;
  void draw_lengths() const;

  // These classes are the view's interface for others, see navigation(), overlays() and so on.
  friend class MipNavigation;
  friend class MipOverlays;
  friend class MipComparison;
  friend class MipChannels;
  friend class MipPaint;
  friend class MipRays;
  friend class MipSlices;

  std::unique_ptr<Impl> impl_;
  MipNavigation navigation_{*this};
  MipOverlays overlays_{*this};
  MipComparison comparison_{*this};
  MipChannels channels_{*this};
  MipPaint paint_{*this};
  MipRays rays_{*this};
  MipSlices slices_{*this};
};

}  // namespace aprscope
