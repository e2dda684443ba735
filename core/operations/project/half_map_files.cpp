#include "core/operations/project/half_map_files.hpp"

#include <string>
#include <utility>

#include "core/io/write.hpp"
#include "core/projections/reconstruction.hpp"

namespace aprscope {

std::filesystem::path half_map_path(const std::filesystem::path& map, int half) {
  return map.parent_path() /
         (map.stem().string() + "_half" + std::to_string(half) + map.extension().string());
}

Status write_half_maps(const Volume& map, const std::filesystem::path& path,
                       const JobContext& context) {
  if (!map.reconstruction || map.reconstruction->half1.empty()) {
    return Error{"has no half maps to write", map.name, "make it with half maps"};
  }
  for (const int half : {1, 2}) {
    Volume one;
    one.voxel = map.voxel;
    one.origin = map.origin;
    one.name = map.name;
    Pixels<float> pixels;
    pixels.size = map.size();
    pixels.values = half == 1 ? map.reconstruction->half1 : map.reconstruction->half2;
    one.pixels = std::move(pixels);
    Status ok =
        write_image(one, half_map_path(path, half), context.part(0.5 * (half - 1), 0.5 * half));
    if (!ok) return ok;
  }
  return {};
}

}  // namespace aprscope
