#include "core/topology/value_survey.hpp"

#include <algorithm>
#include <iterator>

namespace aprscope {
namespace {

constexpr std::size_t kMostValues = 65536;
// So much is sorted in one go: what is sorted stays small.
constexpr std::size_t kPiece = std::size_t{1} << 18U;

}  // namespace

void ValueSurvey::add(std::span<const float> values) {
  if (values.empty()) return;
  const ValueRange<float> range = value_range(values);
  if (range_) {
    range_->least = std::min(range_->least, range.least);
    range_->most = std::max(range_->most, range.most);
    range_->whole = range_->whole && range.whole;
  } else {
    range_ = range;
  }
  for (std::size_t at = 0; keeps_ && at < values.size(); at += kPiece) {
    const auto part = values.subspan(at, std::min(kPiece, values.size() - at));
    piece_.clear();
    // −0 is 0.
    for (const float v : part) piece_.push_back(v + 0.0F);
    std::sort(piece_.begin(), piece_.end());
    piece_.erase(std::unique(piece_.begin(), piece_.end()), piece_.end());
    merged_.clear();
    std::set_union(values_.begin(), values_.end(), piece_.begin(), piece_.end(),
                   std::back_inserter(merged_));
    values_.swap(merged_);
    if (values_.size() <= kMostValues) continue;
    keeps_ = false;
    values_ = {};
  }
}

}  // namespace aprscope
