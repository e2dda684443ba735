#include "core/image/crop.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/image/labels.hpp"

namespace aprscope {
namespace {

template <class T>
std::vector<T> cut(const std::vector<T>& from, const Size3& size, const Region& box) {
  const Size3 n = box.size();
  std::vector<T> out(static_cast<std::size_t>(n.count()));
  parallel_for(n.z * n.x, threads_for(n.count()), [&](std::int64_t row) {
    const std::int64_t z = box.begin.z + row / n.x;
    const std::int64_t x = box.begin.x + row % n.x;
    std::copy_n(from.begin() + ((z * size.x + x) * size.y + box.begin.y), n.y,
                out.begin() + row * n.y);
  });
  return out;
}

}  // namespace

Volume crop(const Volume& volume, const Region& box) {
  Volume out;
  out.pixels = std::visit(
      [&](const auto& pixels) -> AnyPixels {
        std::decay_t<decltype(pixels)> made;
        made.size = box.size();
        made.values = cut(pixels.values, pixels.size, box);
        return made;
      },
      volume.pixels);
  out.voxel = volume.voxel;
  const VoxelSize& step = volume.voxel;
  out.origin = {volume.origin[0] + static_cast<double>(box.begin.z) * step.z,
                volume.origin[1] + static_cast<double>(box.begin.x) * step.x,
                volume.origin[2] + static_cast<double>(box.begin.y) * step.y};
  out.name = volume.name;
  out.channel = volume.channel;
  out.channel_index = volume.channel_index;
  out.time = volume.time;
  if (volume.labels) {
    Labels labels;
    labels.values = cut(volume.labels->values, volume.size(), box);
    labels.largest = *std::max_element(labels.values.begin(), labels.values.end());
    out.labels = std::make_shared<const Labels>(std::move(labels));
  }
  return out;
}

}  // namespace aprscope
