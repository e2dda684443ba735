#include "core/operations/measure/background_note.hpp"

#include <cmath>

#include "core/cells/background_cell.hpp"
#include "core/cells/label_slots.hpp"

namespace aprscope {

std::string background_note(double share) {
  if (!(share > 0.0)) return {};
  return "one cell is " + std::to_string(std::lround(100.0 * share)) +
         " % of the image, as where the background is taken for one: bright objects are found by "
         "water that rises in distance, dark walls with dark, a stained shell by filling from "
         "outside";
}

double background_share_of(const Dataset& data, const Labels& labels) {
  if (!data.is_apr()) {
    return std::visit([&](const auto& pixels) { return background_share(pixels, labels.values); },
                      data.volume().pixels);
  }
  const Apr& apr = data.apr();
  if (!apr.main_field()) return 0.0;
  return background_share(*apr.access, data.values().particles(), labels.values);
}

LabelCounts label_counts(const LabelEngine& engine, const Operation& operation, const Dataset& data,
                         const Prepared* prepared, const Labels& labels) {
  if (engine.counts != nullptr && prepared != nullptr) {
    if (const auto known = engine.counts(operation, data, *prepared)) return *known;
  }
  return {count_labels(labels.values, labels.largest), background_share_of(data, labels)};
}

}  // namespace aprscope
