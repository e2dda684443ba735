#include "core/cells/kept_labels.hpp"

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"

namespace aprscope {

Labels kept_labels(const Labels& labels, const std::vector<std::int64_t>& counts, double least) {
  Labels out;
  std::vector<std::uint32_t> number(counts.size(), 0);
  for (std::size_t i = 1; i < counts.size(); ++i) {
    if (counts[i] > 0 && static_cast<double>(counts[i]) >= least) number[i] = ++out.largest;
  }
  const auto count = static_cast<std::int64_t>(labels.values.size());
  make_zeros(out.values, count);
  parallel_for(count, threads_for(count), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    out.values[at] = number[labels.values[at]];
  });
  for (LabelFinding one : labels.findings) {
    one.label = number[one.label];
    if (one.label != 0) out.findings.push_back(one);
  }
  out.open = labels.open;
  return out;
}

}  // namespace aprscope
