#include "core/cells/slice_outlines.hpp"

#include <algorithm>

#include "core/base/parallel.hpp"
#include "core/cells/crofton.hpp"

namespace aprscope {

Result<std::vector<SliceOutline>> slice_outlines(const LabelPixels& labels, const VoxelSize& voxel,
                                                 const JobContext& context) {
  const CroftonWeights weights(voxel);
  const Size3 slice{1, labels.size.x, labels.size.y};
  const auto pixels = static_cast<std::size_t>(slice.count());
  std::vector<SliceOutline> out;
  for (std::int64_t z = 0; z < labels.size.z; ++z) {
    const double done = static_cast<double>(z) / static_cast<double>(labels.size.z);
    context.report(done, "slices");
    // An image of one slice, whose crossings within it are those of the slice.
    const LabelPixels one{
        slice, labels.values.subspan(static_cast<std::size_t>(z) * pixels, pixels), labels.largest};
    const auto found = label_records(one, {}, context.part(done, done));
    if (!found) return found.error();
    for (const LabelSums& sums : found->sums) {
      out.push_back({sums.label, z, sums.voxels, weights.perimeter(sums.crossings)});
    }
  }
  std::sort(out.begin(), out.end(), [](const SliceOutline& a, const SliceOutline& b) {
    return a.label != b.label ? a.label < b.label : a.z < b.z;
  });
  return out;
}

}  // namespace aprscope
