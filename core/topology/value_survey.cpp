#include "core/topology/value_survey.hpp"

#include <algorithm>
#include <cmath>

namespace aprscope {
namespace {

constexpr std::uint64_t kFewValues = 65536;
// So many values are added before checking again whether there are too many.
constexpr std::size_t kPiece = std::size_t{1} << 18U;

// The range of the finite values among values that are not all finite.
std::optional<ValueRange<float>> finite_range(std::span<const float> values) {
  std::optional<ValueRange<float>> out;
  for (const float v : values) {
    if (!std::isfinite(v)) continue;
    if (!out) out = ValueRange<float>{v + 0.0F, v + 0.0F};
    out->least = std::min(out->least, v + 0.0F);
    out->most = std::max(out->most, v + 0.0F);
    out->whole = out->whole && v == std::floor(v);
  }
  return out;
}

}  // namespace

void ValueSurvey::add(std::span<const float> values) {
  if (values.empty()) return;
  std::optional<ValueRange<float>> range = value_range(values);
  const bool below = std::isinf(range->least);
  const bool above = std::isinf(range->most);
  if (below || above) {
    below_ = below_ || range->least < 0.0F;
    above_ = above_ || range->most > 0.0F;
    range = finite_range(values);
  }
  if (range_ && range) {
    range_->least = std::min(range_->least, range->least);
    range_->most = std::max(range_->most, range->most);
    range_->whole = range_->whole && range->whole;
  } else if (range) {
    range_ = range;
  }
  for (std::size_t at = 0; keeps_values() && at < values.size(); at += kPiece) {
    if (!values_) values_ = std::make_shared<ValueSet>();
    values_->add(values.subspan(at, std::min(kPiece, values.size() - at)));
    if (keep_ == Keep::all || values_->count() <= kFewValues) continue;
    keep_ = Keep::none;
    values_.reset();
  }
}

}  // namespace aprscope
