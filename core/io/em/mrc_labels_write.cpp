#include "core/io/em/mrc_labels_write.hpp"

#include <algorithm>

#include "core/io/em/mrc_write.hpp"

namespace aprscope {

Status write_mrc_labels(const Labels& labels, const LabelImageFacts& facts,
                        const std::filesystem::path& path, const JobContext& context) {
  const auto most = std::max_element(labels.values.begin(), labels.values.end());
  const std::uint32_t largest = most == labels.values.end() ? 0 : *most;
  if (largest > (1U << 24U)) {
    return Error{"cannot be written: there are more labels than MRC tells apart", path.string(),
                 "write a .tif"};
  }
  Volume volume;
  volume.voxel = facts.voxel;
  volume.origin = facts.origin;
  const auto fill = [&]<class T>(Pixels<T> pixels) {
    pixels.size = facts.size;
    pixels.values.assign(labels.values.begin(), labels.values.end());
    volume.pixels = std::move(pixels);
  };
  MrcWriteOptions options{MrcSamples::f32, {"labels"}};
  if (largest <= UINT16_MAX) {
    fill(Pixels<std::uint16_t>{});
    options.samples = MrcSamples::u16;
  } else {
    fill(Pixels<float>{});
  }
  return write_mrc(path, volume, options, context);
}

}  // namespace aprscope
