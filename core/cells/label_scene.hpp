#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/apr/raycast/raycast.hpp"
#include "core/image/labels.hpp"

namespace aprscope {

/// How labels are shown in 3-D.
enum class LabelStyle {
  /// The surface of what has a label, in its colour.
  surfaces,
  /// The maximum projection of the image, each ray in the colour of the label where it is
  /// brightest.
  coloured
};

/// Which labels a picture in 3-D shows, and how.
struct LabelSceneLook {
  LabelStyle style = LabelStyle::surfaces;
  /// Labels with a voxel at the border of the image, of which only a part is known, are left out.
  /// Faces across z count in images of more than one slice.
  bool whole_only = false;
  /// In ascending order: the surfaces of these are seen through all others.
  std::vector<std::uint32_t> chosen;

  friend bool operator==(const LabelSceneLook&, const LabelSceneLook&) = default;
};

/// One value a ray of a picture; row 0 is top.
struct LabelLayer {
  /// Surfaces: how bright in the light, 0 … 1, see shade_surface(); coloured: the largest value of
  /// the image. NaN: the ray meets nothing.
  RayImage values;
  /// Label that each ray meets; 0: nothing, or something without a label (that is shown).
  std::vector<std::uint32_t> labels;
  /// The pixel that is seen, as its place in memory, see RayHits; of particles the first of the
  /// cell.
  std::vector<std::int64_t> pixels;
};

/// A picture of labels.
struct LabelPicture {
  LabelStyle style = LabelStyle::surfaces;
  LabelLayer all;
  /// The surfaces of chosen labels alone; none: no label is chosen, or the style is coloured.
  std::optional<LabelLayer> chosen;
};

/// Labels of pixels or particles as rays see them: a mask of those that are shown (one byte a
/// pixel, or one number a particle) with the maxima of MipRaycaster over it, built once, turned
/// freely.
class LabelScene {
 public:
  /// Builds the scene of an image of `size` / of the particles of `access`. `values` renders the
  /// image itself; the style `coloured` needs it. Errors: labels that are not one a pixel
  /// (particle), too little memory, cancelled.
  static Result<std::shared_ptr<const LabelScene>> build(
      std::shared_ptr<const Labels> labels, const Size3& size, const VoxelSize& voxel,
      const LabelSceneLook& look, std::shared_ptr<const MipRaycaster> values = nullptr,
      const JobContext& context = {});
  static Result<std::shared_ptr<const LabelScene>> build(
      std::shared_ptr<const Labels> labels, std::shared_ptr<const AprAccess> access,
      const VoxelSize& voxel, const LabelSceneLook& look,
      std::shared_ptr<const MipRaycaster> values = nullptr, const JobContext& context = {});

  /// Renders at the finest level; the same bytes for any number of threads. Errors: see Raycaster.
  [[nodiscard]] Result<LabelPicture> render(const RayCamera& camera, int width, int height,
                                            const JobContext& context = {}) const;
  [[nodiscard]] const Size3& size() const { return size_; }
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  LabelScene() = default;
  [[nodiscard]] Result<LabelLayer> surface_of(float at, const RayCamera& camera, int width,
                                              int height, const JobContext& context) const;
  [[nodiscard]] Result<LabelLayer> projection(const RayCamera& camera, int width, int height,
                                              const JobContext& context) const;
  void name(const std::vector<std::int64_t>& pixels, std::vector<std::uint32_t>& labels) const;

  std::shared_ptr<const Labels> labels_;
  /// The particles that labels are of; null: labels are of pixels.
  std::shared_ptr<const AprAccess> access_;
  Size3 size_{0, 0, 0};
  double grain_ = 1.0;
  LabelSceneLook look_;
  /// Labels that are not shown, in ascending order.
  std::vector<std::uint32_t> left_out_;
  /// Renders the mask: 1 is shown, 2 is chosen.
  std::shared_ptr<const MipRaycaster> mask_;
  std::shared_ptr<const MipRaycaster> values_;
};

}  // namespace aprscope
