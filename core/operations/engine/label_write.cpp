#include "core/operations/engine/label_write.hpp"

#include <algorithm>

#include "core/cells/carried_labels.hpp"
#include "core/io/write.hpp"
#include "core/operations/engine/registry.hpp"

namespace aprscope {

bool ends_in_labels(const std::vector<Operation>& steps) {
  const auto last = std::find_if(steps.rbegin(), steps.rend(), [](const Operation& step) {
    return traits_of(step).gives != Gives::measurement;
  });
  return last != steps.rend() && traits_of(*last).gives == Gives::labels;
}

Status write_labels_of(const Dataset& data, const std::filesystem::path& path,
                       const JobContext& context) {
  if (!data.labels()) {
    return Error{"has no labels to write", data.name(),
                 "find its cells first, or open labels over it"};
  }
  LabelImageFacts facts{data.size(), data.voxel()};
  if (!data.is_apr()) {
    facts.origin = data.volume().origin;
    return write_labels(*data.labels(), facts, path, context);
  }
  const auto pixels = pixel_labels(*data.apr().access, *data.labels(), context.part(0.0, 0.3));
  if (!pixels) return pixels.error();
  return write_labels(*pixels, facts, path, context.part(0.3, 1.0));
}

}  // namespace aprscope
