#include "core/cells/label_scene.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "core/apr/raycast/surface_shading.hpp"
#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/cells/label_slots.hpp"

namespace aprscope {
namespace {

constexpr std::uint8_t kShown = 1;
constexpr std::uint8_t kChosen = 2;

const char* const kDoing = "cells in 3-D";

Error other_labels() {
  return {"are not one for each pixel or particle", "the labels", "choose those of this data"};
}
Error too_large() {
  return {"do not fit into the memory left", kDoing, "close other data, or show them in slices"};
}

bool among(const std::vector<std::uint32_t>& sorted, std::uint32_t label) {
  return std::binary_search(sorted.begin(), sorted.end(), label);
}

double largest_side(const VoxelSize& voxel) { return std::max({voxel.z, voxel.x, voxel.y}); }

// Labels that were met, each once and in ascending order.
std::vector<std::uint32_t> sorted(const LabelSlots& met) {
  std::vector<std::uint32_t> out = met.labels();
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::uint32_t> border_labels(const Labels& labels, const Size3& n) {
  LabelSlots met(labels.largest);
  const auto take = [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    const std::uint32_t label = labels.values[static_cast<std::size_t>((z * n.x + x) * n.y + y)];
    if (label != 0) met.find_or_add(label);
  };
  for (std::int64_t z = 0; z < n.z; ++z) {
    const bool face = n.z > 1 && (z == 0 || z == n.z - 1);
    for (std::int64_t x = 0; x < n.x; ++x) {
      if (face || x == 0 || x == n.x - 1) {
        for (std::int64_t y = 0; y < n.y; ++y) take(z, x, y);
      } else {
        take(z, x, 0);
        take(z, x, n.y - 1);
      }
    }
  }
  return sorted(met);
}

std::vector<std::uint32_t> border_labels(const Labels& labels, const LinearAccess& cells) {
  LabelSlots met(labels.largest);
  const bool flat = cells.size().z == 1;
  for (int level = cells.level_first(); level <= cells.level_last(); ++level) {
    const Size3& grid = cells.grid(level);
    for (std::int64_t row = 0; row < grid.z * grid.x; ++row) {
      const std::int64_t z = row / grid.x;
      const std::int64_t x = row % grid.x;
      const bool face = (!flat && (z == 0 || z == grid.z - 1)) || x == 0 || x == grid.x - 1;
      const ParticleRange range = cells.row(level, z, x);
      for (std::uint64_t i = range.begin; i < range.end; ++i) {
        const std::int64_t y = cells.y()[i];
        if ((face || y == 0 || y == grid.y - 1) && labels.values[i] != 0) {
          met.find_or_add(labels.values[i]);
        }
      }
    }
  }
  return sorted(met);
}

// Labels in memory order as what the mask has of them.
class Classes {
 public:
  Classes(const LabelSceneLook& look, const std::vector<std::uint32_t>& left_out)
      : look_(look), left_out_(left_out) {}
  // Calls put(i, class) for all values of [begin, end).
  template <class Put>
  void each(const std::vector<std::uint32_t>& values, std::int64_t begin, std::int64_t end,
            const Put& put) const {
    // Runs of one label are long.
    std::uint32_t last = 0;
    std::uint8_t now = 0;
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      if (values[i] != last) {
        last = values[i];
        now = last == 0 || among(left_out_, last) ? 0
              : among(look_.chosen, last)         ? kChosen
                                                  : kShown;
      }
      put(i, now);
    }
  }

 private:
  const LabelSceneLook& look_;
  const std::vector<std::uint32_t>& left_out_;
};

template <class T>
std::vector<T> mask_of(const std::vector<std::uint32_t>& labels, const Classes& classes) {
  std::vector<T> mask(labels.size());
  const auto count = static_cast<std::int64_t>(labels.size());
  parallel_stretches(count, threads_for(count), [&](std::int64_t begin, std::int64_t end, int) {
    classes.each(labels, begin, end,
                 [&](std::size_t i, std::uint8_t one) { mask[i] = static_cast<T>(one); });
  });
  return mask;
}

}  // namespace

Result<std::shared_ptr<const LabelScene>> LabelScene::build(
    std::shared_ptr<const Labels> labels, const Size3& size, const VoxelSize& voxel,
    const LabelSceneLook& look, std::shared_ptr<const MipRaycaster> values,
    const JobContext& context) {
  if (static_cast<std::int64_t>(labels->values.size()) != size.count()) return other_labels();
  try {
    std::shared_ptr<LabelScene> scene(new LabelScene);
    if (look.whole_only) scene->left_out_ = border_labels(*labels, size);
    if (look.style == LabelStyle::surfaces) {
      Pixels<std::uint8_t> mask;
      mask.size = size;
      mask.values = mask_of<std::uint8_t>(labels->values, Classes(look, scene->left_out_));
      auto shown = std::make_shared<Volume>();
      shown->pixels = std::move(mask);
      shown->voxel = voxel;
      auto built = MipRaycaster::build(std::move(shown), context);
      if (!built) return built.error();
      scene->mask_ = *std::move(built);
    }
    scene->labels_ = std::move(labels);
    scene->size_ = size;
    scene->grain_ = largest_side(voxel);
    scene->look_ = look;
    scene->values_ = std::move(values);
    return std::shared_ptr<const LabelScene>(std::move(scene));
  } catch (const std::bad_alloc&) {
    return too_large();
  }
}

Result<std::shared_ptr<const LabelScene>> LabelScene::build(
    std::shared_ptr<const Labels> labels, std::shared_ptr<const AprAccess> access,
    const VoxelSize& voxel, const LabelSceneLook& look, std::shared_ptr<const MipRaycaster> values,
    const JobContext& context) {
  if (labels->values.size() != access->count()) return other_labels();
  try {
    std::shared_ptr<LabelScene> scene(new LabelScene);
    if (look.whole_only) scene->left_out_ = border_labels(*labels, access->particles());
    if (look.style == LabelStyle::surfaces) {
      const auto mask = mask_of<float>(labels->values, Classes(look, scene->left_out_));
      auto built = MipRaycaster::build(access, mask, voxel, context);
      if (!built) return built.error();
      scene->mask_ = *std::move(built);
    }
    scene->labels_ = std::move(labels);
    scene->size_ = access->size();
    scene->access_ = std::move(access);
    scene->grain_ = largest_side(voxel);
    scene->look_ = look;
    scene->values_ = std::move(values);
    return std::shared_ptr<const LabelScene>(std::move(scene));
  } catch (const std::bad_alloc&) {
    return too_large();
  }
}

std::uint64_t LabelScene::bytes() const {
  if (!mask_) return 0;
  return mask_->bytes() + (access_ ? 0 : static_cast<std::uint64_t>(size_.count()));
}

// Looks up the labels of pixels.
void LabelScene::name(const std::vector<std::int64_t>& pixels,
                      std::vector<std::uint32_t>& labels) const {
  labels.resize(pixels.size());
  const auto count = static_cast<std::int64_t>(pixels.size());
  parallel_for(count, threads_for(count), [&](std::int64_t i) {
    const std::int64_t at = pixels[static_cast<std::size_t>(i)];
    std::uint32_t label = 0;
    if (at >= 0) {
      const auto place =
          access_ ? access_->find({at / (size_.x * size_.y), at / size_.y % size_.x, at % size_.y})
                        .index
                  : static_cast<std::uint64_t>(at);
      label = labels_->values[place];
      if (among(left_out_, label)) label = 0;
    }
    labels[static_cast<std::size_t>(i)] = label;
  });
}

Result<LabelLayer> LabelScene::surface_of(float at, const RayCamera& camera, int width, int height,
                                          const JobContext& context) const {
  auto hits = mask_->first(camera, width, height, mask_->level_max(), at, context);
  if (!hits) return hits.error();
  auto light = shade_surface(hits->image, camera, grain_, context);
  if (!light) return light.error();
  LabelLayer layer;
  layer.values = *std::move(light);
  layer.pixels = std::move(hits->pixels);
  name(layer.pixels, layer.labels);
  return layer;
}

Result<LabelLayer> LabelScene::projection(const RayCamera& camera, int width, int height,
                                          const JobContext& context) const {
  if (!values_) return Error{"have no image to colour", kDoing, "choose surfaces"};
  auto hits = values_->brightest(camera, width, height, values_->level_max(), context);
  if (!hits) return hits.error();
  LabelLayer layer;
  layer.values = std::move(hits->image);
  layer.pixels = std::move(hits->pixels);
  name(layer.pixels, layer.labels);
  return layer;
}

Result<LabelPicture> LabelScene::render(const RayCamera& camera, int width, int height,
                                        const JobContext& context) const {
  try {
    LabelPicture out;
    out.style = look_.style;
    const bool surfaces = look_.style == LabelStyle::surfaces;
    auto all = surfaces ? surface_of(kShown, camera, width, height, context)
                        : projection(camera, width, height, context);
    if (!all) return all.error();
    out.all = *std::move(all);
    if (surfaces && !look_.chosen.empty()) {
      auto chosen = surface_of(kChosen, camera, width, height, context);
      if (!chosen) return chosen.error();
      out.chosen = *std::move(chosen);
    }
    return out;
  } catch (const std::bad_alloc&) {
    return too_large();
  }
}

}  // namespace aprscope
