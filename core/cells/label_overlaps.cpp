#include "core/cells/label_overlaps.hpp"

#include <algorithm>
#include <string>

namespace aprscope {
namespace {

bool before(const LabelOverlap& a, const LabelOverlap& b) {
  return a.truth != b.truth ? a.truth < b.truth : a.found < b.found;
}

// Adds up equal pairs.
void combine(std::vector<LabelOverlap>& all) {
  std::sort(all.begin(), all.end(), before);
  std::size_t kept = 0;
  for (const LabelOverlap& one : all) {
    if (kept > 0 && !before(all[kept - 1], one)) {
      all[kept - 1].pixels += one.pixels;
    } else {
      all[kept++] = one;
    }
  }
  all.resize(kept);
}

}  // namespace

Result<std::vector<LabelOverlap>> label_overlaps(const Labels& truth, const Labels& found,
                                                 const JobContext& context) {
  if (truth.values.size() != found.values.size()) {
    return Error{"labels of " + std::to_string(found.values.size()) +
                     " pixels cannot be compared with a truth of " +
                     std::to_string(truth.values.size()),
                 "the labels", "choose label images of the same size"};
  }
  std::vector<LabelOverlap> all;
  constexpr std::size_t kMany = std::size_t{1} << 20;
  std::size_t sorted_at = kMany;
  for (std::size_t i = 0; i < truth.values.size();) {
    const LabelOverlap pair{truth.values[i], found.values[i], 0};
    const std::size_t from = i;
    while (i < truth.values.size() && truth.values[i] == pair.truth &&
           found.values[i] == pair.found) {
      ++i;
    }
    all.push_back({pair.truth, pair.found, i - from});
    if (all.size() < sorted_at) continue;
    if (context.stop_requested()) return cancelled_error();
    combine(all);
    sorted_at = std::max(kMany, 2 * all.size());
  }
  combine(all);
  if (context.stop_requested()) return cancelled_error();
  return all;
}

}  // namespace aprscope
