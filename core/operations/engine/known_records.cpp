#include "core/operations/engine/known_records.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "core/cells/label_records.hpp"
#include "core/cells/particle_records.hpp"

namespace aprscope {
namespace {

Result<LabelRecords> found(const Dataset& input, const JobContext& context) {
  const Labels& labels = *input.labels();
  const KnownLabels known = input.known_labels();
  if (!input.is_apr()) {
    const AnyPixels* const channel = &input.volume().pixels;
    const LabelPixels pixels{input.size(), labels.values, labels.largest};
    if (!known.records) return label_records(pixels, {&channel, 1}, context);
    return updated_records(*known.records, pixels, {&channel, 1}, known.box, known.changed,
                           context);
  }
  const Apr& apr = input.apr();
  const auto field = apr.main_field();
  // A column of no values where there are none.
  const FieldValues none =
      std::vector<float>(field ? 0 : apr.access->count(), std::numeric_limits<float>::quiet_NaN());
  const FieldValues* const channel = field ? &field->values : &none;
  if (!known.records) {
    return particle_records(*apr.access, labels.values, labels.largest, {&channel, 1}, context);
  }
  return updated_particle_records(*known.records, *apr.access, labels.values, labels.largest,
                                  {&channel, 1}, known.box, known.changed, context);
}

}  // namespace

Result<std::shared_ptr<const LabelRecords>> records_of(const Dataset& input,
                                                       const JobContext& context) {
  const KnownLabels known = input.known_labels();
  if (known.records && known.changed.empty()) return known.records;
  auto records = found(input, context);
  if (!records) return records.error();
  auto kept = std::make_shared<const LabelRecords>(*std::move(records));
  input.keep_records(kept);
  return kept;
}

KnownLabels known_after(KnownLabels known, const LabelChange& change) {
  if (!known.records || change.empty()) return known;
  const Region& box = change.box;
  Region& all = known.box;
  if (known.changed.empty()) {
    all = box;
  } else {
    all = {{std::min(all.begin.z, box.begin.z), std::min(all.begin.x, box.begin.x),
            std::min(all.begin.y, box.begin.y)},
           {std::max(all.end.z, box.end.z), std::max(all.end.x, box.end.x),
            std::max(all.end.y, box.end.y)}};
  }
  std::vector<std::uint32_t> both;
  std::set_union(known.changed.begin(), known.changed.end(), change.labels.begin(),
                 change.labels.end(), std::back_inserter(both));
  known.changed = std::move(both);
  return known;
}

}  // namespace aprscope
