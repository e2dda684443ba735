#include "core/operations/engine/file_pixel.hpp"

#include <algorithm>

namespace aprscope {

Result<Index3> first_pixel(const AprFileSlabs& file, std::uint64_t particle,
                           const JobContext& context) {
  int level = 1;
  const auto planes = [&](int l) { return level_grid(file.size(), file.level_max(), l).z; };
  while (file.first_in_plane(level, planes(level)) <= particle) ++level;
  std::int64_t z = 0;
  while (file.first_in_plane(level, z + 1) <= particle) ++z;
  const auto cells = file.rows(level, z, z + 1, context, false);
  if (!cells) return cells.error();
  const auto row = std::upper_bound(cells->ends.begin() + 1, cells->ends.end(), particle);
  const auto x = static_cast<std::int64_t>(row - cells->ends.begin() - 1);
  const int shift = file.level_max() - level;
  const std::int64_t y = cells->y[static_cast<std::size_t>(particle - cells->ends.front())];
  return Index3{z << shift, x << shift, y << shift};
}

}  // namespace aprscope
