#include "core/cells/label_change.hpp"

#include <algorithm>
#include <cmath>
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

LabelChangeBuilder::LabelChangeBuilder(const Labels& labels, const Region& of)
    : labels_(labels), of_(of) {
  change_.largest_before = change_.largest_after = labels.largest;
}

void LabelChangeBuilder::set(std::int64_t z, std::int64_t x, std::int64_t y, std::uint32_t after) {
  set_run(z, x, y, y + 1, after);
}

void LabelChangeBuilder::set_run(std::int64_t z, std::int64_t x, std::int64_t y0, std::int64_t y1,
                                 std::uint32_t after) {
  const Size3 n = of_.size();
  const Index3& from = of_.begin;
  const auto at = static_cast<std::uint64_t>(((z - from.z) * n.x + x - from.x) * n.y + y0 - from.y);
  put(at, static_cast<std::uint64_t>(y1 - y0), {{z, x, y0}, {z + 1, x + 1, y1}}, after);
}

void LabelChangeBuilder::put(std::uint64_t at, std::uint64_t length, const Region& box,
                             std::uint32_t after) {
  const std::uint32_t before = labels_.values[at];
  if (before == after) return;
  Region& all = change_.box;
  if (change_.runs.empty()) {
    all = box;
  } else {
    all.begin = {std::min(all.begin.z, box.begin.z), std::min(all.begin.x, box.begin.x),
                 std::min(all.begin.y, box.begin.y)};
    all.end = {std::max(all.end.z, box.end.z), std::max(all.end.x, box.end.x),
               std::max(all.end.y, box.end.y)};
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
  // A changed object that was filled counts as unchecked, and so do objects made from it.
  bool filled = false;
  for (const LabelFinding& one : labels_.findings) {
    if (!std::binary_search(which.begin(), which.end(), one.label)) {
      change_.findings_after.push_back(one);
    } else {
      filled = filled || one.unchecked || !std::isnan(one.leak_radius);
    }
  }
  if (!filled) return std::move(change_);
  for (const std::uint32_t label : which) {
    LabelFinding its;
    its.label = label;
    its.unchecked = true;
    change_.findings_after.push_back(its);
  }
  std::sort(change_.findings_after.begin(), change_.findings_after.end(),
            [](const LabelFinding& a, const LabelFinding& b) { return a.label < b.label; });
  return std::move(change_);
}

}  // namespace aprscope
