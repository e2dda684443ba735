#pragma once

#include <QPointF>
#include <QRectF>
#include <QTimer>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include <vtkCallbackCommand.h>
#include <vtkCamera.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkTexture.h>

#include "core/cells/label_picture.hpp"
#include "core/image/level_set.hpp"
#include "render/mip_view.hpp"
#include "render/mip_worker.hpp"
#include "render/plane_geometry.hpp"
#include "render/slices_in_space.hpp"
#include "render/volume_frame.hpp"

namespace aprscope {

/// The state of a 3-D view, shared by the code for its pictures and for its camera.
struct MipView::Impl {
  using Vec = std::array<double, 3>;

  std::shared_ptr<const Raycaster> source;
  std::shared_ptr<const Raycaster> second;
  /// A part of the source with smaller cells, and whether it has all of the picture on screen.
  std::shared_ptr<const MipDetail> detail;
  bool is_detail = false;
  MipPair pair = MipPair::first;
  Contrast second_contrast{0.0, 1.0, 1.0};
  ColorTable second_table = colormap("grey");
  double reveal = 0.5;
  bool dragging = false;
  /// The position where the left button was pressed; and a click that may be the first of a double.
  std::optional<QPointF> pressed;
  QTimer click;
  QString left_name;
  QString right_name;
  QString caption;
  QString note;
  /// The requested range of a difference (0: automatic), and that of the picture on screen.
  double wanted_range = 0.0;
  double picture_range = 0.0;
  Size3 size{0, 0, 0};
  VoxelSize voxel;
  Contrast contrast{0.0, 1.0, 1.0};
  ColorTable table = colormap("grey");
  std::optional<LevelSet> level_set;
  bool wants_surface = false;
  /// Whether the picture on screen is a surface.
  bool is_surface = false;
  /// Depth of translucent matter as a share of mean_side(), 0: projections; and whether the picture
  /// on screen is one of matter.
  double depth_share = 0.0;
  bool is_matter = false;
  /// Another picture of matter is wanted when the view is shown.
  bool matter_stale = false;
  /// The colouring that is wanted, that of the picture on screen, and the values of the latter.
  std::shared_ptr<const SurfacePaint> paint;
  std::shared_ptr<const SurfacePaint> shown_paint;
  RayImage paint_picture;
  /// Labels with their colours, and which of them are chosen.
  std::shared_ptr<const LabelScene> label_scene;
  std::shared_ptr<const LabelColours> label_colours;
  std::vector<std::uint32_t> chosen_labels;
  /// The labels in the picture on screen.
  std::optional<LabelPicture> label_picture;
  /// The channels that are wanted, and how they look.
  std::optional<std::vector<ChannelVolume>> volumes;
  std::vector<ChannelLook> looks;
  /// The channels in the picture on screen, with their projections; none: it shows no channels.
  std::optional<std::vector<ChannelVolume>> blended;
  std::vector<RayImage> layer_pictures;
  /// The part of the volume that is seen; none: all of it.
  std::optional<Region> only;
  ViewTheme theme = ViewTheme::dark_theme();
  MipInfo info;
  MipFrame frame;
  std::uint64_t generation = 0;        // of the newest request
  std::uint64_t shown_generation = 0;  // of the picture on screen
  /// While the camera moves, the number of rays is divided by this in each direction.
  static constexpr int kFirstCoarseness = 2;
  int coarseness = kFirstCoarseness;
  bool last_asked_exact = false;
  /// The camera was placed while the size of the view was unknown, and the user has not turned it
  /// since: it will be placed again once the size is known.
  bool unframed = false;
  bool has_picture = false;
  bool colors_stale = false;
  /// The handle moved: the picture has to be put together again, its colours stay.
  bool parts_stale = false;
  RayImage picture;
  RayImage second_picture;
  std::vector<std::uint8_t> colors;
  std::vector<std::uint8_t> second_colors;
  /// The camera that the mouse moves, and the camera of the picture on screen. Box and labels are
  /// drawn with the latter, or they would move before the picture does.
  vtkNew<vtkCamera> moved_camera;
  vtkNew<vtkCamera> shown_camera;

  bool box = true;
  bool planes = true;
  bool hud = true;
  bool hud_collapsed = false;
  QRectF hud_rect;

  std::unique_ptr<VolumeFrame> outlines;
  std::unique_ptr<SlicesInSpace> slices;
  vtkNew<vtkImageData> image;
  vtkNew<vtkTexture> texture;
  vtkNew<vtkCallbackCommand> camera_watch;
  QTimer rest;
  std::unique_ptr<MipWorker> worker;

  /// Whether both volumes are on screen, with a handle between.
  [[nodiscard]] bool parted() const {
    return pair == MipPair::reveal && has_picture && !second_picture.values.empty();
  }
  /// The value at which the wanted surface lies; none: no surface is wanted.
  [[nodiscard]] std::optional<float> surface_at() const {
    if (!level_set || !wants_surface || pair != MipPair::first) return std::nullopt;
    if (level_set->sets != LevelSets::superlevel) return std::nullopt;
    // Just above the lower end: slices and masks leave out values below it, so surfaces must too.
    const auto at = static_cast<float>(level_set->at);
    return static_cast<double>(at) < level_set->at
               ? std::nextafter(at, std::numeric_limits<float>::infinity())
               : at;
  }
  /// The colouring of the wanted surface; null: none.
  [[nodiscard]] std::shared_ptr<const SurfacePaint> wanted_paint() const {
    const bool fits = paint && paint->values && paint->values->size() == size;
    return fits && surface_at() ? paint : nullptr;
  }
  /// Whether a picture coloured by `other` may still be shown: its values are the same. The limits
  /// may differ, as they follow a threshold that the user drags.
  [[nodiscard]] bool wants_paint(const SurfacePaint* other) const {
    const auto wanted = wanted_paint();
    return (wanted ? wanted->values : nullptr) == (other != nullptr ? other->values : nullptr);
  }
  /// The labels that are wanted; null: none.
  [[nodiscard]] std::shared_ptr<const LabelScene> wanted_labels() const {
    const bool fits = label_scene && label_colours && label_scene->size() == size;
    return fits && pair == MipPair::first && !surface_at() ? label_scene : nullptr;
  }
  /// The channels that are wanted; none: the source alone, or what is shown in preference.
  [[nodiscard]] std::optional<std::vector<ChannelVolume>> wanted_volumes() const {
    const bool others_first = pair != MipPair::first || surface_at() || wanted_labels();
    return others_first ? std::nullopt : volumes;
  }
  /// Whether the finer part of the source is for such a picture.
  [[nodiscard]] bool takes_detail(const MipRequest& request) const {
    if (!detail || pair != MipPair::first || request.labels) return false;
    return !request.channels || std::all_of(request.channels->begin(), request.channels->end(),
                                            [&](const ChannelVolume& one) {
                                              return part_of(*detail, one.channel) != nullptr;
                                            });
  }
  [[nodiscard]] bool wants_matter() const;
  [[nodiscard]] std::vector<Translucency> wanted_matter() const;
  /// Whether the picture on screen is a difference.
  [[nodiscard]] bool differs() const {
    return pair == MipPair::difference && has_picture && picture_range > 0.0;
  }
  /// The middle of the volume, world order y, x, z.
  [[nodiscard]] Vec centre() const {
    return {0.5 * static_cast<double>(size.y) * PlaneGeometry::along(voxel, Axis::y),
            0.5 * static_cast<double>(size.x) * PlaneGeometry::along(voxel, Axis::x),
            0.5 * static_cast<double>(size.z) * PlaneGeometry::along(voxel, Axis::z)};
  }
  /// Without a volume there is no box either.
  void show_outlines() const {
    outlines->set_box_visible(box && size.count() > 0);
    outlines->set_planes_visible(planes && size.count() > 0);
  }
  void color_first(double range, const std::array<std::uint8_t, 4>& nothing);
  void color_paint();
  void color_channels(const std::array<std::uint8_t, 4>& nothing);
  void show_camera(const RayCamera& ray);
  void look(MipView& view, const Vec& forward, const Vec& up) const;
  void place(MipView& view, const Vec& forward, const Vec& up, double height) const;
};

}  // namespace aprscope
