#include "core/cells/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/cells/label_overlaps.hpp"

namespace aprscope {
namespace {

// Replaces labels, which may have gaps, by their index among those that occur; 0 stays 0.
void number_densely(std::vector<LabelOverlap>& all, std::uint32_t LabelOverlap::*label) {
  std::vector<std::uint32_t> known{0};
  for (const LabelOverlap& one : all) known.push_back(one.*label);
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (LabelOverlap& one : all) {
    const auto at = std::lower_bound(known.begin(), known.end(), one.*label);
    one.*label = static_cast<std::uint32_t>(at - known.begin());
  }
}

double share(std::size_t part, std::size_t all) {
  return all == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(all);
}

struct Pair {
  std::uint32_t truth = 0;
  std::uint32_t found = 0;
  double iou = 0.0;
};

// Matches pairs from the best one on, so that the order of labels does not matter.
ObjectMatches match(std::vector<Pair> pairs, double least, std::size_t truths, std::size_t found,
                    std::size_t truth_labels, std::size_t found_labels) {
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
    if (a.iou != b.iou) return a.iou > b.iou;
    return a.truth != b.truth ? a.truth < b.truth : a.found < b.found;
  });
  std::vector<bool> truth_taken(truth_labels, false);
  std::vector<bool> found_taken(found_labels, false);
  ObjectMatches out;
  for (const Pair& pair : pairs) {
    if (pair.iou < least) break;
    if (truth_taken[pair.truth] || found_taken[pair.found]) continue;
    truth_taken[pair.truth] = true;
    found_taken[pair.found] = true;
    ++out.matched;
  }
  out.precision = share(out.matched, found);
  out.recall = share(out.matched, truths);
  out.f1 = share(2 * out.matched, truths + found);
  return out;
}

double mean(double sum, std::size_t count) {
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

}  // namespace

Result<LabelAgreement> compare_labels(const Labels& truth, const Labels& found, std::uint64_t large,
                                      const JobContext& context) {
  auto overlaps = label_overlaps(truth, found, context);
  if (!overlaps) return overlaps.error();
  std::vector<LabelOverlap>& all = *overlaps;
  number_densely(all, &LabelOverlap::truth);
  number_densely(all, &LabelOverlap::found);
  std::uint32_t last_truth = 0;
  std::uint32_t last_found = 0;
  for (const LabelOverlap& one : all) {
    last_truth = std::max(last_truth, one.truth);
    last_found = std::max(last_found, one.found);
  }
  std::vector<std::uint64_t> truth_size(std::size_t{last_truth} + 1, 0);
  std::vector<std::uint64_t> found_size(std::size_t{last_found} + 1, 0);
  // Pixels of each found object that lie in true objects.
  std::vector<std::uint64_t> found_inside(std::size_t{last_found} + 1, 0);
  std::uint64_t inside = 0;
  for (const LabelOverlap& one : all) {
    truth_size[one.truth] += one.pixels;
    found_size[one.found] += one.pixels;
    if (one.truth == 0) continue;
    found_inside[one.found] += one.pixels;
    inside += one.pixels;
  }

  std::vector<double> best(truth_size.size(), 0.0);
  std::vector<Pair> pairs;
  LabelAgreement out;
  for (const LabelOverlap& one : all) {
    if (one.truth == 0) continue;
    const auto both = static_cast<double>(one.pixels);
    const double all_pixels = static_cast<double>(inside);
    out.split_bits -=
        both / all_pixels * std::log2(both / static_cast<double>(truth_size[one.truth]));
    out.merge_bits -=
        both / all_pixels * std::log2(both / static_cast<double>(found_inside[one.found]));
    if (one.found == 0) continue;
    const auto either =
        static_cast<double>(truth_size[one.truth] + found_size[one.found] - one.pixels);
    best[one.truth] = std::max(best[one.truth], both / either);
    if (both / either >= 0.5) pairs.push_back({one.truth, one.found, both / either});
  }
  double sum = 0.0;
  double sum_large = 0.0;
  for (std::size_t t = 1; t < truth_size.size(); ++t) {
    if (truth_size[t] == 0) continue;
    ++out.truths;
    sum += best[t];
    if (truth_size[t] < large) continue;
    ++out.large_truths;
    sum_large += best[t];
  }
  for (std::size_t f = 1; f < found_size.size(); ++f) out.found += found_size[f] > 0 ? 1 : 0;
  out.mean_best_iou = mean(sum, out.truths);
  out.mean_best_iou_large = mean(sum_large, out.large_truths);
  out.at_half = match(pairs, 0.5, out.truths, out.found, truth_size.size(), found_size.size());
  out.at_three_quarters =
      match(pairs, 0.75, out.truths, out.found, truth_size.size(), found_size.size());
  // −0 of a truth without pixels or a perfect agreement.
  out.split_bits = std::max(0.0, out.split_bits);
  out.merge_bits = std::max(0.0, out.merge_bits);
  return out;
}

}  // namespace aprscope
