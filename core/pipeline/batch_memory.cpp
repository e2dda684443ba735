#include "core/pipeline/batch_memory.hpp"

#include <algorithm>
#include <cmath>

#include "core/dataset/dataset.hpp"

namespace aprscope {
namespace {

// Most pixels of the small image whose bytes are estimated.
constexpr double kMostPixels = 64.0 * 64.0 * 64.0;
// The program itself with its libraries and buffers of files.
constexpr double kProgram = 256.0 * 1024.0 * 1024.0;
constexpr double kReserve = 1.25;

double pixels_of(const Size3& size) {
  return static_cast<double>(std::max<std::int64_t>(1, size.count()));
}

// At most kMostPixels, with the sides in their proportion as far as whole numbers go.
Size3 shrunk(Size3 size) {
  while (pixels_of(size) > kMostPixels) {
    std::int64_t& longest =
        std::max({std::ref(size.z), std::ref(size.x), std::ref(size.y)}, [](const auto& a,
                                                                            const auto& b) {
          return a.get() < b.get();
        }).get();
    longest = (longest + 1) / 2;
  }
  return {std::max<std::int64_t>(1, size.z), std::max<std::int64_t>(1, size.x),
          std::max<std::int64_t>(1, size.y)};
}

Data sample_of(const SourceInfo& info, const Size3& size, bool real) {
  Volume volume;
  volume.voxel = info.voxel;
  if (real) {
    volume.pixels = Pixels<float>(size);
  } else if (info.dtype == "u8") {
    volume.pixels = Pixels<std::uint8_t>(size);
  } else if (info.dtype == "u16") {
    volume.pixels = Pixels<std::uint16_t>(size);
  } else {
    volume.pixels = Pixels<float>(size);
  }
  return volume;
}

}  // namespace

std::uint64_t estimate_job_bytes(const Recipe& recipe, const SourceInfo& info) {
  const Size3 size = shrunk(info.size);
  const double scale = pixels_of(info.size) / pixels_of(size);
  double most = 0.0;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, recipe.steps.size()); ++i) {
    // Steps after the first one mostly have real numbers.
    const auto sample = Dataset::create(sample_of(info, size, i > 0));
    const auto own = static_cast<double>(sample->bytes());
    const auto pixels = pixels_of(size);
    double bytes = 0.0;
    if (i < recipe.steps.size()) {
      const Operation& step = recipe.steps[i];
      // Steps that need particles or labels, which the sample lacks: assume four values a pixel.
      bytes = cpu_backend()->supports(step, *sample)
                  ? static_cast<double>(cpu_backend()->estimate_bytes(step, *sample))
                  : 4.0 * sizeof(float) * pixels;
    }
    most = std::max(most, own + bytes + sizeof(float) * pixels);
  }
  return static_cast<std::uint64_t>(std::ceil(kReserve * most * scale + kProgram));
}

}  // namespace aprscope
