#include "core/cells/label_change.hpp"

#include <algorithm>
#include <utility>

namespace aprscope {

std::uint64_t LabelChange::bytes() const {
  return runs.capacity() * sizeof(LabelRun) + labels.capacity() * sizeof(std::uint32_t) +
         (findings_before.capacity() + findings_after.capacity()) * sizeof(LabelFinding);
}

void LabelChange::apply(Labels& to) const {
  for (const LabelRun& run : runs) {
    std::fill_n(to.values.begin() + static_cast<std::ptrdiff_t>(run.begin), run.length, run.after);
  }
  to.largest = largest_after;
  to.findings = findings_after;
}

void LabelChange::revert(Labels& to) const {
  for (const LabelRun& run : runs) {
    std::fill_n(to.values.begin() + static_cast<std::ptrdiff_t>(run.begin), run.length, run.before);
  }
  to.largest = largest_before;
  to.findings = findings_before;
}

LabelChangeBuilder::LabelChangeBuilder(const Labels& labels, const Size3& size)
    : labels_(labels), size_(size) {
  change_.largest_before = change_.largest_after = labels.largest;
}

void LabelChangeBuilder::set(std::int64_t z, std::int64_t x, std::int64_t y, std::uint32_t after) {
  set_run(z, x, y, y + 1, after);
}

void LabelChangeBuilder::set_run(std::int64_t z, std::int64_t x, std::int64_t y0, std::int64_t y1,
                                 std::uint32_t after) {
  const auto at = static_cast<std::uint64_t>((z * size_.x + x) * size_.y + y0);
  const auto length = static_cast<std::uint64_t>(y1 - y0);
  const std::uint32_t before = labels_.values[at];
  if (before == after) return;
  Region& box = change_.box;
  if (change_.runs.empty()) {
    box = {{z, x, y0}, {z + 1, x + 1, y1}};
  } else {
    box.end.z = z + 1;
    box.begin.x = std::min(box.begin.x, x);
    box.end.x = std::max(box.end.x, x + 1);
    box.begin.y = std::min(box.begin.y, y0);
    box.end.y = std::max(box.end.y, y1);
    LabelRun& last = change_.runs.back();
    if (last.begin + last.length == at && last.before == before && last.after == after) {
      last.length += length;
      return;
    }
  }
  change_.runs.push_back({at, length, before, after});
}

LabelChange LabelChangeBuilder::take() {
  auto& which = change_.labels;
  for (const LabelRun& run : change_.runs) {
    // Runs of the same labels follow each other often.
    for (const std::uint32_t label : {run.before, run.after}) {
      const bool known = which.size() > 1 && (label == which.back() || label == which.end()[-2]);
      if (label != 0 && !known) which.push_back(label);
    }
    change_.largest_after = std::max(change_.largest_after, run.after);
  }
  std::sort(which.begin(), which.end());
  which.erase(std::unique(which.begin(), which.end()), which.end());
  change_.findings_before = labels_.findings;
  for (const LabelFinding& one : labels_.findings) {
    if (!std::binary_search(which.begin(), which.end(), one.label)) {
      change_.findings_after.push_back(one);
    }
  }
  return std::move(change_);
}

}  // namespace aprscope
