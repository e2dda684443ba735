#include "core/pipeline/file_volume.hpp"

#include <algorithm>
#include <utility>

#include "core/apr/structure/linear_access.hpp"
#include "core/io/apr/apr_file_crop.hpp"
#include "core/io/apr/apr_file_part.hpp"

namespace aprscope {

Result<std::optional<FileVolume>> volume_of_file(const SourceInfo& info,
                                                 const SourceSelection& selection, int level,
                                                 const Region& cells, const JobContext& context) {
  using Found = std::optional<FileVolume>;
  const int finest = finest_level(info.size);
  if (!info.is_apr || level < 1 || level > finest) return Found();
  if (level == finest) {
    auto apr = load_apr_crop(info, selection, cells, context);
    if (!apr) return apr.error();
    if (!*apr) return Found();
    return Found(FileVolume{Dataset::create(**std::move(apr)), cells});
  }
  const int shift = finest - level;
  const auto pixel = [&](std::int64_t cell, std::int64_t size) {
    return std::min(cell << shift, size);
  };
  const Size3& n = info.size;
  const Region pixels{{cells.begin.z << shift, cells.begin.x << shift, cells.begin.y << shift},
                      {pixel(cells.end.z, n.z), pixel(cells.end.x, n.x), pixel(cells.end.y, n.y)}};
  auto part = load_apr_file_part(info, selection, {level, pixels, false}, context);
  if (!part) return part.error();
  if (!*part) return Found();
  return Found(FileVolume{Dataset::create(std::move((*part)->image)), cells});
}

}  // namespace aprscope
