#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/cells/label_scene.hpp"
#include "render/channel_volume.hpp"
#include "render/mip_detail.hpp"
#include "render/surface_paint.hpp"

namespace aprscope {

/// A request: a camera, a size in rays, and the finest level to use.
struct MipRequest {
  std::shared_ptr<const Raycaster> source;
  /// A second volume in the same place; null: none.
  std::shared_ptr<const Raycaster> second;
  /// A part of the source, and of channels, with smaller cells, and whether it has all that the
  /// picture shows; null: none.
  std::shared_ptr<const MipDetail> detail;
  bool covered = false;
  /// With two volumes: compute their difference rather than both pictures.
  bool difference = false;
  /// Render the surface at this value instead of a projection, with cells of `grain` (in world
  /// units).
  std::optional<float> surface;
  double grain = 1.0;
  /// Values that colour the surface, in the source's voxels; null: none.
  std::shared_ptr<const SurfacePaint> paint;
  VoxelSize voxel;
  /// Labels to render instead of a projection; null: none.
  std::shared_ptr<const LabelScene> labels;
  /// Channels to render instead of a projection of the source; none: the source.
  std::optional<std::vector<ChannelVolume>> channels;
  /// Render translucent matter instead of projections: of the source and the second volume, or of
  /// each channel. Empty: projections.
  std::vector<Translucency> matter;
  RayCamera camera;
  int width = 1;
  int height = 1;
  int level = 0;
  /// Use every ray of the screen at the finest level.
  bool exact = false;
  std::uint64_t generation = 0;
};

struct MipPicture {
  MipRequest request;
  /// The source, or second − source; for a surface, its brightness in the light, from 0 to 1.
  RayImage image;
  /// The values that colour a surface; NaN where there is none.
  RayImage paint;
  /// The second volume; empty if there is none or a difference was requested.
  RayImage second;
  /// An image for each requested channel; then `image` has no values.
  std::vector<RayImage> channels;
  /// The labels, if requested; then `image` is the data below them.
  std::optional<LabelPicture> labels;
  /// The colours of a difference range from −range to range.
  double range = 0.0;
  double milliseconds = 0.0;
};

/// A thread that casts rays for one view. A newer request replaces older ones and stops them.
class MipWorker {
 public:
  /// `ready` is called on the worker's thread when a picture can be taken.
  explicit MipWorker(std::function<void()> ready);
  ~MipWorker();
  MipWorker(const MipWorker&) = delete;
  MipWorker& operator=(const MipWorker&) = delete;

  /// `interrupt`: stops the running job. Otherwise the job may finish first, so that a turning
  /// camera always shows something.
  void post(MipRequest request, bool interrupt);
  void cancel();
  /// The newest finished picture; each picture is returned once.
  std::optional<MipPicture> take();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aprscope
