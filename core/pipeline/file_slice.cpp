#include "core/pipeline/file_slice.hpp"

#include <utility>

#include "core/io/apr/apr_file_part.hpp"

namespace aprscope {

Result<std::optional<FileSlice>> slice_of_file(const SourceInfo& info,
                                               const SourceSelection& selection, int level,
                                               Axis axis, const Region& box,
                                               const JobContext& context) {
  if (!info.is_apr) return std::optional<FileSlice>();
  Region thin = box;
  (axis == Axis::z   ? thin.end.z
   : axis == Axis::x ? thin.end.x
                     : thin.end.y) = (axis == Axis::z   ? thin.begin.z
                                      : axis == Axis::x ? thin.begin.x
                                                        : thin.begin.y) +
                                     1;
  auto part = load_apr_file_part(info, selection, {level, thin, false}, context);
  if (!part) return part.error();
  if (!*part) return std::optional<FileSlice>();
  const int shift = finest_level(info.size) - level;
  const auto down = [&](std::int64_t v) { return v >> shift << shift; };
  const auto up = [&](std::int64_t v) { return (((v - 1) >> shift) + 1) << shift; };
  FileSlice out;
  out.plane = slice_pixels((*part)->image, axis, 0);
  out.box = {{down(thin.begin.z), down(thin.begin.x), down(thin.begin.y)},
             {up(thin.end.z), up(thin.end.x), up(thin.end.y)}};
  return std::optional<FileSlice>(std::move(out));
}

}  // namespace aprscope
