#include "core/cells/renumbered.hpp"

#include <algorithm>
#include <utility>

namespace aprscope {

Labels renumbered(Labels labels) {
  // A table by label would be too large: few labels may have large numbers.
  if (labels.largest / 4 > labels.values.size()) {
    std::vector<std::uint32_t> known = labels.values;
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    // 0 keeps its number, whether it is there or not.
    if (known.empty() || known.front() != 0) known.insert(known.begin(), 0);
    const auto rank = [&](std::uint32_t label) {
      return static_cast<std::uint32_t>(std::lower_bound(known.begin(), known.end(), label) -
                                        known.begin());
    };
    for (std::uint32_t& value : labels.values) value = rank(value);
    auto& found = labels.findings;
    found.erase(std::remove_if(found.begin(), found.end(),
                               [&](const LabelFinding& one) {
                                 return !std::binary_search(known.begin(), known.end(), one.label);
                               }),
                found.end());
    for (LabelFinding& one : found) one.label = rank(one.label);
    labels.largest = static_cast<std::uint32_t>(known.size() - 1);
  }
  // The new number of each label; 0: not met yet.
  std::vector<std::uint32_t> number(static_cast<std::size_t>(labels.largest) + 1, 0);
  std::uint32_t last = 0;
  for (std::uint32_t& value : labels.values) {
    if (value == 0) continue;
    std::uint32_t& its = number[value];
    if (its == 0) its = ++last;
    value = its;
  }
  labels.largest = last;
  auto& findings = labels.findings;
  for (LabelFinding& one : findings) one.label = number[one.label];
  findings.erase(std::remove_if(findings.begin(), findings.end(),
                                [](const LabelFinding& one) { return one.label == 0; }),
                 findings.end());
  std::sort(findings.begin(), findings.end(),
            [](const LabelFinding& a, const LabelFinding& b) { return a.label < b.label; });
  return labels;
}

}  // namespace aprscope
