#include "core/cells/followed_labels.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "core/cells/label_overlaps.hpp"

namespace aprscope {
namespace {

struct Candidate {
  double iou = 0.0;
  std::uint32_t before = 0;
  std::uint32_t now = 0;
};

std::uint32_t number_of(const LabelNumbers& numbers, std::uint32_t label) {
  const auto at = std::lower_bound(numbers.labels.begin(), numbers.labels.end(), label);
  return numbers.numbers[static_cast<std::size_t>(at - numbers.labels.begin())];
}

}  // namespace

Result<LabelNumbers> follow_labels(const Labels& before, const Labels& now, double least,
                                   std::uint32_t last, const JobContext& context) {
  const auto overlaps = label_overlaps(before, now, context);
  if (!overlaps) return overlaps.error();
  std::unordered_map<std::uint32_t, std::uint64_t> sizes_before;
  std::unordered_map<std::uint32_t, std::uint64_t> sizes_now;
  for (const LabelOverlap& one : *overlaps) {
    if (one.truth != 0) sizes_before[one.truth] += one.pixels;
    if (one.found != 0) sizes_now[one.found] += one.pixels;
  }
  std::vector<Candidate> pairs;
  for (const LabelOverlap& one : *overlaps) {
    if (one.truth == 0 || one.found == 0) continue;
    const auto either =
        static_cast<double>(sizes_before[one.truth] + sizes_now[one.found] - one.pixels);
    const double iou = static_cast<double>(one.pixels) / either;
    if (iou >= least) pairs.push_back({iou, one.truth, one.found});
  }
  std::sort(pairs.begin(), pairs.end(), [](const Candidate& a, const Candidate& b) {
    if (a.iou != b.iou) return a.iou > b.iou;
    return a.before != b.before ? a.before < b.before : a.now < b.now;
  });
  LabelNumbers out;
  out.earlier = sizes_before.size();
  for (const auto& [label, size] : sizes_now) out.labels.push_back(label);
  std::sort(out.labels.begin(), out.labels.end());
  out.numbers.assign(out.labels.size(), 0);
  for (const Candidate& pair : pairs) {
    const auto at = std::lower_bound(out.labels.begin(), out.labels.end(), pair.now);
    std::uint32_t& number = out.numbers[static_cast<std::size_t>(at - out.labels.begin())];
    // The earlier object has given its number to a better match: erase() finds nothing.
    if (number != 0 || sizes_before.erase(pair.before) == 0) continue;
    number = pair.before;
    ++out.kept;
  }
  const std::uint64_t all = std::uint64_t{last} + (out.labels.size() - out.kept);
  if (all > std::numeric_limits<std::uint32_t>::max() - 1) {
    return Error{"have more objects over time than there are numbers", "the labels",
                 "follow fewer time points"};
  }
  for (std::uint32_t& number : out.numbers) {
    if (number == 0) number = ++last;
  }
  return out;
}

Labels renamed(Labels labels, const LabelNumbers& numbers) {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  labels.largest = 0;
  for (std::uint32_t& value : labels.values) {
    if (value != from) {
      from = value;
      to = from == 0 ? 0 : number_of(numbers, from);
      labels.largest = std::max(labels.largest, to);
    }
    value = to;
  }
  std::erase_if(labels.findings, [&](const LabelFinding& one) {
    return !std::binary_search(numbers.labels.begin(), numbers.labels.end(), one.label);
  });
  for (LabelFinding& one : labels.findings) one.label = number_of(numbers, one.label);
  std::sort(labels.findings.begin(), labels.findings.end(),
            [](const LabelFinding& a, const LabelFinding& b) { return a.label < b.label; });
  return labels;
}

}  // namespace aprscope
