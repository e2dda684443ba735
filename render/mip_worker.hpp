#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/cells/label_scene.hpp"
#include "render/mip_channels.hpp"
#include "render/mip_paint.hpp"

namespace aprscope {

/// What to cast: a camera, a size in rays, and the finest level to look at.
struct MipRequest {
  std::shared_ptr<const Raycaster> source;
  /// A second volume in the same place; null: none.
  std::shared_ptr<const Raycaster> second;
  /// Of two volumes: their difference is wanted, not both.
  bool difference = false;
  /// The surface of what is at least this bright is wanted, with cells of `grain` (world units),
  /// instead of a projection.
  std::optional<float> surface;
  double grain = 1.0;
  /// What colours it, in the voxels of the source; null: nothing does.
  std::shared_ptr<const SurfacePaint> paint;
  VoxelSize voxel;
  /// Labels are wanted instead of a projection; null: none.
  std::shared_ptr<const LabelScene> labels;
  /// Channels are wanted instead of a projection of the source; none: they are not.
  std::optional<std::vector<ChannelVolume>> channels;
  RayCamera camera;
  int width = 1;
  int height = 1;
  int level = 0;
  /// Every ray of the screen at the finest level.
  bool exact = false;
  std::uint64_t generation = 0;
};

struct MipPicture {
  MipRequest request;
  /// Of the source, or second − source; of a surface how bright it is in the light, from 0 to 1.
  RayImage image;
  /// Of a surface that is coloured, the values that colour it; NaN where there is none.
  RayImage paint;
  /// Of the second volume; empty where there is none, or the difference was wanted.
  RayImage second;
  /// One a channel, where those were wanted; `image` then has no values.
  std::vector<RayImage> channels;
  /// Of labels, where they were wanted; `image` is then what they lie on.
  std::optional<LabelPicture> labels;
  /// How far above and below zero the colours of a difference reach.
  double range = 0.0;
  double milliseconds = 0.0;
};

/// A thread that casts rays for one view. The newest request wins: it stops the running one.
class MipWorker {
 public:
  /// `ready` is called on the worker's thread when a picture can be taken.
  explicit MipWorker(std::function<void()> ready);
  ~MipWorker();
  MipWorker(const MipWorker&) = delete;
  MipWorker& operator=(const MipWorker&) = delete;

  /// `interrupt`: stop what is running; otherwise it may finish first, so that a turning camera
  /// shows something all the time.
  void post(MipRequest request, bool interrupt);
  void cancel();
  /// The newest finished picture, once.
  std::optional<MipPicture> take();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace aprscope
