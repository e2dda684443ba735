#include "core/image/labels.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/digits.hpp"

namespace aprscope {
namespace {

// Whether two numbers are equal, or both unknown (NaN).
bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

bool operator==(const LabelFinding& a, const LabelFinding& b) {
  return a.label == b.label && same(a.leak_radius, b.leak_radius) && a.leak_at == b.leak_at &&
         same(a.voxels_per_slice, b.voxels_per_slice) && a.most_open_slice == b.most_open_slice &&
         a.unchecked == b.unchecked;
}

std::vector<LabelFinding> unknown_findings(std::uint32_t largest) {
  std::vector<LabelFinding> all(largest);
  for (std::uint32_t i = 0; i < largest; ++i) all[i].label = i + 1;
  return all;
}

double closing_radius(double leak) { return up_to_digits(leak, 3); }

std::uint64_t Labels::bytes() const {
  return values.size() * sizeof(values[0]) + findings.size() * sizeof(findings[0]) +
         open.size() * sizeof(open[0]);
}

const LabelFinding* Labels::finding(std::uint32_t label) const {
  const auto at = std::lower_bound(
      findings.begin(), findings.end(), label,
      [](const LabelFinding& one, std::uint32_t asked) { return one.label < asked; });
  return at != findings.end() && at->label == label ? &*at : nullptr;
}

}  // namespace aprscope
